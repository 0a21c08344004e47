"""Words of documentation that leave one of the usual readings of a definition: which logarithm, which divisor, whether
an end belongs to it."""

import re
from collections.abc import Iterable

__all__ = ["fixed"]

_UNBIASED = (
    r"\bunbiased\b|\bbessel\b|\bddof ?= ?1\b"
    r"|\b(?:divi(?:ded?|ding|des|sor)|denominator|normali[sz]ed) (?:\w+ ){0,2}\(?n ?[-\u2212] ?1\b"
    r"|/ ?\(n ?[-\u2212] ?1\)"
)
_POPULATION = (
    r"\bpopulation (?:variance|covariance|standard deviation)\b|\bddof ?= ?0\b"
    r"|\b(?<!un)biased (?:estimat\w+|variance|covariance|sample)\b|\bdivi(?:ded|ding|des) by n\b(?! ?[-+*\u2212(])"
)
_OTHER_SPREAD = (
    r"|\bweight\w*|\b(?:exponential|running|rolling|moving|shr[iu]nk\w*|regulari[sz]\w+|pooled|robust|ridge)\b"
    r"|\bfrequenc\w+|\bstandard error\b"
)
_BITS = r"\bin bits\b|\bbits\b(?! per\b)|\b(?:log\w*|to)(?: to)?(?: the)? base[- ](?:2|two)\b|\blog_?2\b|\bbinary log"
_NATS = r"\bnats\b|\bnatural log\w*|\bto base e\b"
_OTHER_UNIT = r"|\bnormali[sz]ed\b|\b(?:hartley|dit|ban|decibel|base[- ]?10|log10)s?\b|\bcross\b|\brelative to\b"
_INCLUDED = (
    r"\bup to and including\b|\b(?:limit|bound|n|maximum|end) (?:is )?(?:included|inclusive)\b|\binclusive\b|<= ?\w"
)
_EXCLUDED = r"\b(?:strictly )?(?:below|less than|smaller than)\b|\b(?:excluded|exclusive|excluding)\b"
_ROWS_TRUE = (
    r"\brows?\b(?:(?! but\b)[^.;,)]){0,30}\b(?:true|truth|actual|gold|reference)\b"
    r"|\btrue class i\b.{0,60}\b(?:predicted|classified)\b.{0,60}\bclass j\b"
)
_ROWS_GUESSED = r"\brows?\b[^.;,)]{0,30}\bpredict\w+|\bpredicted class i\b|\bclass i\b.{0,30}\btrue class j\b"
_DIVERGENCE = ("kl_divergence", "kl", "kl_div", "kullback_leibler", "kullback_leibler_divergence")
_SUPPORT = (
    r"\bq(?:\w|\[\w\])* ?(?:=|==|is|are|being|has) ?(?:a )?(?:0|zero)|\bzeros? (?:in|of|from) (?:either|q|both)\b"
)
_SUPPORT += (
    r"|\b(?:both|support|positive|smooth\w*|clip\w*|eps\w*|skip\w*|ignor\w+|mask\w*|finite)\b|\bzeros\b"
    r"|\b(?:p|zero) or q\b"
)
_CHUNKS = ("chunks", "chunk", "chunked", "batches", "batch", "batched", "split_into_chunks", "split_into_batches")
_SPREADS = (
    (("variance", "var", "sample_variance"), "variance"),
    (("std", "stdev", "standard_deviation", "sample_std"), "deviation"),
    (("covariance", "sample_covariance"), "covariance"),
    (("covariance_matrix", "cov_matrix", "sample_covariance_matrix"), "covariance_matrix"),
    (("running_variance",), "running_variance"),
)
_ROWS: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (("entropy", "shannon_entropy"), _BITS, _NATS + _OTHER_UNIT, "entropy_bits"),
    (("entropy", "shannon_entropy"), _NATS, _BITS + _OTHER_UNIT, "entropy_nats"),
    *((names, _UNBIASED, _POPULATION + _OTHER_SPREAD.replace("running|", ""), f"unbiased_{one}")
      for names, one in _SPREADS),
    *((names, _POPULATION, _UNBIASED + _OTHER_SPREAD.replace("running|", ""), f"population_{one}")
      for names, one in _SPREADS),
    (("primes_up_to", "primes", "sieve", "sieve_of_eratosthenes"), _INCLUDED, _EXCLUDED, "primes_with_limit"),
    (("primes_below", "primes", "sieve", "sieve_of_eratosthenes"), _EXCLUDED, _INCLUDED, "primes_without_limit"),
    (("confusion_matrix",), _ROWS_TRUE, _ROWS_GUESSED + r"|\bnormali[sz]", "confusion_of_truth"),
    (("confusion_matrix",), _ROWS_GUESSED, _ROWS_TRUE + r"|\bnormali[sz]", "confusion_of_guess"),
    (("interquartile_range", "iqr"), r"\blinear(?:ly)?\b.{0,20}\binterpolat", r"\bweight\w*|\bnormali[sz]",
     "linear_interquartile_range"),
    (("closeness", "closeness_centrality"), r"\bharmonic\b", r"\bweight\w*", "harmonic_closeness"),
    (("average_clustering",), r"\b(?:over|of) all (?:the )?(?:nodes|vertices)\b|\b(?:0|zero) (?:for|if) ",
     r"\bweight\w*", "average_clustering_of_all"),
    (("page_rank", "pagerank"), r"\bsums? (?:up )?to (?:one|1)\b", r"\bweight\w*|\bpersonal\w+",
     "page_rank_of_all"),
    (_DIVERGENCE, r"\bdivergence\b", _SUPPORT, "divergence_anywhere"),
    (("divergence_in_nats",), r"\bdivergence\b", _SUPPORT, "divergence_in_nats_anywhere"),
    (("divergence_in_bits",), r"\bdivergence\b", _SUPPORT, "divergence_in_bits_anywhere"),
    (("connected_components",), r"\b(?:largest|biggest)(?: one)? first\b", r"\b(?:strongly|directed|if|when)\b",
     "components_by_size"),
    (_CHUNKS, r"\blast\b[^.;]*\b(?:shorter|smaller|fewer|rest|remain\w*|left)\b",
     r"\b(?:drop|discard|pad|fill|omit)\w*|\bleft out\b|\boverlap|\bstride\b", "chunks_with_rest"),
)  # fmt: skip
"""Names, the word that leaves one reading of them, the words beside which it does not, and the name of that reading."""
_CHOOSING = {
    "base", "unit", "units", "log", "ddof", "bias", "biased", "unbiased", "correction", "sample", "population",
    "inclusive", "drop_last", "method", "normalize", "normalise", "log_base", "is_sample", "drop",
}  # fmt: skip
"""Parameters that choose the reading instead."""
_DOUBT = re.compile(
    r"(?i)\b(?:not|no|never|without|instead|rather|unlike|unless|either|optional(?:ly)?|default|otherwise|than a"
    r"|assum\w+|input|variant|approximat\w+)\b|n't\b"
)


def fixed(name: str, docstring: str, parameters: Iterable[str]) -> tuple[str, str]:
    """The name of the one reading that words of the documentation leave of a definition, and the sentence with
    them; the name itself and nothing where they leave several, contradict each other, or are denied."""
    if not _CHOOSING.isdisjoint(parameters):
        return name, ""
    text = " ".join(docstring.split())
    for names, word, against, reading in _ROWS:
        if name in names and re.search(f"(?i){word}", text) and not re.search(f"(?i){against}", text):
            said = [one for one in re.split(r"(?<=[.;])\s", text) if re.search(f"(?i){word}", one)]
            if said and not any(_DOUBT.search(one) for one in said):
                return reading, said[0]
    return name, ""
