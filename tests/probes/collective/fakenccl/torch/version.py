cuda: str = "12.8"
