"""Product tables (``products/<id>.md``): releases with their dates, and the facts that hold the version in use."""

from __future__ import annotations

from ..errors import FactError
from ..facts import TypeOf
from ..model import Derivation, FactSpec, Product, Release
from ..rules import parse
from .files import LoadedFile, named_like_file, sources_of
from .markdown import steps

HOW_TO_FIND = "How to find the version"


def product_from(file: LoadedFile) -> Product:
    """One table. Raises KnowledgeError."""
    head = file.head()
    name = named_like_file(head, "id", file)
    releases = []
    for part in head.parts("releases"):
        releases.append(Release(part.text("version"), part.text("date", "")))
        part.finish()
    how = file.page.section(HOW_TO_FIND)
    product = Product(
        id=name,
        title=head.text("title"),
        fact=head.text("fact", f"{name}.version"),
        loaded=head.text("loaded", ""),
        packages=head.texts("packages"),
        upgrade=head.text("upgrade", ""),
        shows=head.texts("shows"),
        common_word=head.flag("common_word"),
        releases=tuple(releases),
        find=steps(how.tokens) if how else (),
        sources=sources_of(head),
        path=file.entry,
    )
    head.finish()
    return product


def version_fact(product: Product) -> FactSpec:
    """The fact of a version that nothing in ``facts/`` describes."""
    return FactSpec(
        product.fact,
        "version",
        f"{product.title} version",
        question=f"Which version of {product.title} is it?",
        cost=1,
        path=product.path,
    )


def in_use_fact(product: Product, file: LoadedFile, type_of: TypeOf) -> FactSpec:
    """The version in use: of the loaded library where it is known, else what the package says."""
    rules = []
    for name in filter(None, (product.loaded, product.fact)):
        try:
            kind = type_of(name).type
        except FactError as error:
            file.head().fail(error.message)
        if kind != "version":
            file.head().fail(f"{name} is no version")
        rules.append(Derivation("", parse({name: {"known": "true"}}, type_of), copy_of=name))
    told = type_of(product.fact)
    return FactSpec(
        product.in_use,
        "version",
        f"{product.title} version in use",
        question=told.question,
        cost=told.cost,
        probe=told.probe,
        derived=tuple(rules),
        path=product.path,
    )


def packages_of(products: dict[str, Product]) -> dict[str, str]:
    """Which fact the version of a package establishes, by the name of the package in lower case."""
    return {name.lower(): product.fact for product in products.values() for name in product.packages}
