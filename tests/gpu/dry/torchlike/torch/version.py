cuda: str = "12.8"
hip: str | None = None
