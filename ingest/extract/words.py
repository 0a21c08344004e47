"""Words about words: stems, and the short lists of English and academic vocabulary the extractor leans on.

Nothing here names a method, a field or a paper: the lists hold words that are as empty in biology as in databases.
"""

import re
from functools import lru_cache

import snowballstemmer

__all__ = [
    "CONCEPT_HEADS", "DETERMINERS", "EMPTY_ADJECTIVES", "EMPTY_HEADS", "GENERIC", "PROCESS_HEADS", "RESOURCE_HEADS",
    "STEP_VERBS", "STOCK", "STOP", "f1", "key_of", "is_process_word", "singular_key", "slug", "stem", "stems",
]  # fmt: skip

_STEMMER = snowballstemmer.stemmer("english")
_WORD = re.compile(r"[^\W_]+")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP = _set(
    "a an the of for to in on by with and or from at as via into over under using per its their our your this that these "
    "those is are be it we i s each between through within without not no than then when which whose where while"
)
"""Function words that carry no part of a name."""

DETERMINERS = _set(
    "a an the this that these those our its their his her your my some any each every all both such other another "
    "several many most more much few various certain same following above below next previous first second third "
    "last final one two three four five six i ii iii iv either neither no only latter former whole entire own "
    "different multiple numerous single additional further particular specific given corresponding respective "
    "current existing resulting overall new novel proposed possible potential available necessary important main "
    "key simple general basic standard typical usual common obvious actual real said original"
)
"""Words stripped from the front of a noun phrase."""

EMPTY_ADJECTIVES = _set(
    "new novel proposed simple general basic standard typical usual common main key important good better best "
    "different various several many large small high low such same possible further additional following certain "
    "effective efficient powerful popular recent interesting significant well-known state-of-the-art "
    "straightforward natural useful desired appropriate suitable full complete entire whole overall current"
)

EMPTY_HEADS = _set(
    "algorithm method methods model approach technique procedure process scheme strategy module network framework "
    "system mechanism component function operation step task variant version form"
)
"""Heads that may be dropped when two names are compared: "stretch move algorithm" is the stretch move."""

GENERIC = _set(
    "introduction background preliminary preliminaries related work works prior previous method methods methodology "
    "approach approaches model models modeling algorithm algorithms experiment experiments experimental setup set-up "
    "setting settings result results evaluation evaluations discussion discussions conclusion conclusions summary "
    "future limitation limitations acknowledgement acknowledgements acknowledgments acknowledgment appendix appendices "
    "supplementary supplement material materials overview motivation contribution contributions notation notations "
    "definition definitions problem problems statement formulation task tasks data dataset datasets implementation "
    "implementations detail details analysis analyses comparison comparisons baseline baselines metric metrics "
    "performance theory theoretical proof proofs theorem lemma example examples case study studies application "
    "applications technique techniques system systems framework architecture architectures design main key idea ideas "
    "additional further other more general basic concept concepts description descriptions section paper code "
    "availability software reproducibility ethics statement broader impact statistics parameter parameters "
    "hyperparameter hyperparameters hyperparameter training testing procedure procedures step steps process outline "
    "structure remark remarks note notes observation observations question questions answer research issue issues "
    "challenge challenges goal goals objective objectives requirement requirements assumption assumptions "
    "recommendation recommendations finding findings insight insights takeaway figure figures table tables input "
    "output inputs outputs component components functionality feature features usage test tests quality time space "
    "cost costs complexity efficiency accuracy value values number numbers way ways thing things part parts kind kinds "
    "type types use uses user users author authors reader literature review survey state art open source first second "
    "third final simple new novel proposed our the a an of for and in on to with full short long version form "
    "properties property advantages advantage disadvantages benefits benefit drawbacks effect effects role importance "
    "need scope roadmap organization organisation protocol competing interests funding variant variants choice choices "
    "alternative alternatives extension extensions common practical practice consideration considerations advice tips "
    "pitfalls deployment history conventions terminology glossary formal informal concluding remarks outlook "
    "correctness specification specifications lecture lectures participant participants grading survey teaching argument arguments induction inductive understandability pilot pilots interview interviews  "
    " corpus corpora capability capabilities module modules contents preface abstract references bibliography mechanism mechanisms demonstration demo illustration"
)
"""Title words that name nothing by themselves; a name made of these alone is an empty shell."""

CONCEPT_HEADS = _set(
    "value values group groups order number numbers time times case cases point points set sets size sizes level levels way "
    "ways part parts element elements problem problems result results example examples paper papers work section data "
    "information property properties fact facts idea ideas question questions performance accuracy quality range amount "
    "length type types kind kinds user users people author authors effect effects change changes difference differences "
    "condition conditions world field area areas literature research figure table line lines row rows column columns "
    "input inputs output outputs item items instance instances user day days year years percent degree side end start top "
    "bottom name names word words sentence sentences goal goals task tasks issue issues assumption assumptions reason "
    "reasons advantage advantages benefit benefits purpose role need needs use uses hand total extent sense choice choices "
    "detail details interest addition term terms space setting settings experiment experiments"
)
"""Heads of phrases that are quantities or talk, not something one builds."""

PROCESS_HEADS = _set(
    "loss network kernel sampler tree function estimator encoder decoder regularizer regularization optimizer "
    "classifier predictor scheduler index cache filter transform transformation operator operation layer attention "
    "embedding embeddings algorithm procedure method model scheme strategy protocol mechanism policy rule heuristic "
    "search update step move moves selection projection normalization interpolation imputation sampling training "
    "learning tuning inference propagation encoding decoding compression rebalancing partition merge merging split "
    "splitting pruning masking matching alignment aggregation pooling augmentation initialization adaptation "
    "decomposition factorization approximation integration optimization optimisation evaluation estimation "
    "simulation generation detection segmentation classification regression clustering ranking parsing tokenization "
    "bound objective penalty prior posterior distribution score metric measure distance similarity test correction "
    "module block unit head cell buffer queue log lock transaction graph grammar language compiler parser solver "
    "pipeline framework architecture machine engine service interface library toolkit crossover mutation "
    "cost fraction ratio coefficient criterion threshold theorem bound transform tree forest "
    "convolution deconvolution padding stride dropout convention rotation adapter variant controller agent ensemble"
)
"""Heads of phrases that name something one does or builds."""

RESOURCE_HEADS = _set(
    "dataset datasets corpus corpora benchmark benchmarks database databases library libraries package packages "
    "repository toolkit testbed leaderboard collection codebase"
)

STEP_VERBS = _set(
    "add adjust aggregate align allocate alternate anneal append apply approximate assign augment average batch "
    "bin block bootstrap bound build cache calculate calibrate center choose clip cluster collapse combine compare compress "
    "compute concatenate condition construct convert convolve copy create crop cut decay decode decompose decrease "
    "define delete derive detect determine differentiate discard discretize distribute divide downsample draw drop "
    "elect eliminate embed encode enforce enumerate estimate evaluate evict evolve exchange expand extend extract "
    "factorize feed fill filter fine-tune fit fix flip fold freeze fuse generate group hash impute increase increment index "
    "infer initialise initialize inject insert integrate interpolate intersect introduce invert iterate join keep label learn "
    "linearize locate lock marginalize mask match maximize maximise measure merge minimise minimize mix model modify mutate "
    "negate normalise normalize obtain optimise optimize order pack pad parameterize parse partition patch penalize "
    "permute pool predict process project propagate propose prune quantize query randomize rank recompute record "
    "reduce refine regenerate regress regularize reject relax remove reorder repeat replace replicate represent resample rescale reset "
    "resize restrict retain retrieve return reuse rewrite rotate run sample scale scan score search segment select "
    "send separate set shard share shift shrink shuffle simplify simulate smooth solve sort split stack standardize "
    "store subsample subtract sum swap synchronize threshold train transfer transform translate transmit transplant "
    "traverse trim truncate tune unroll update upsample use validate vary verify vote weight whiten"
)
"""Verbs of doing: "we then X the …" is a step of a procedure."""

_NOT_PROCESS = _set(
    "integer parameter hyperparameter number user server leader follower walker vector tensor error factor author color "
    "colour behavior behaviour paper character cluster computer customer neighbor neighbour member centre center order "
    "power answer letter chapter header water matter manner expert actor floor door indicator descriptor "
    "experiment environment document element segment moment statement requirement argument department agreement amount "
    "information position condition question action section equation direction location population notation observation "
    "attention version option portion relation situation generation dimension region iteration operation permission "
    "decision discussion conclusion session session solution publication application implementation description "
    "assumption expression representation interaction evaluation function proportion collection combination "
    "string thing setting being meaning beginning building understanding reading finding basis analysis thesis "
    "hypothesis tasking morning evening rating timing spacing"
)
STOCK = frozenset(
    name.strip()
    for name in "neural network, deep neural network, convolutional neural network, recurrent neural network, loss function, "
    "objective function, cost function, learning rate, time series, training data, training set, test set, "
    "validation set, data set, random variable, random sample, probability distribution, probability density, hidden unit, "
    "hidden layer, hidden state, real number, data structure, source code, machine learning, deep learning, "
    "standard deviation, mean squared error, batch size, model parameter, trainable parameter, search space, "
    "parameter space, state space, feature space, programming language, operating system, file system, "
    "memory usage, running time, run time, wall time, error bar, left panel, right panel, independent sample, "
    "data point, data distribution, gaussian distribution, normal distribution, uniform distribution, "
    "natural language, language model, computer vision, artificial intelligence, open source, user interface, "
    "web page, linear combination, upper bound, lower bound, closed form, absolute error, relative error, "
    "large number, small number, input data, output data, future work, case study, error rate, regular expression, "
    "network call, function evaluation, chain rule, dynamic programming, linear regression, activation function".split(
        ","
    )
)
"""Concepts every reader knows; a frequent phrase that is one of these is no technique of the paper."""

_PROCESS_ENDINGS = ("tion", "sion", "ing", "ment", "isation", "ization", "sis", "er", "or")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Snowball stem of one word in lower case."""
    return str(_STEMMER.stemWord(word.lower()))


@lru_cache(maxsize=50_000)
def stems(name: str) -> tuple[str, ...]:
    """Stems of a name's content words, in order, hyphens and underscores split."""
    words = [word for word in _WORD.findall(name.lower().replace("'s", ""))]
    kept = [word for word in words if word not in STOP]
    return tuple(stem(word) for word in (kept or words))


def key_of(name: str) -> frozenset[str]:
    """What identifies a name when two are merged: its stems without empty heads, unless nothing else is left."""
    everything = stems(name)
    kept = frozenset(word for word in everything if word not in _EMPTY_STEMS)
    return kept or frozenset(everything)


def singular_key(name: str) -> tuple[str, ...]:
    """Ordered stems: the key of a phrase as it is counted."""
    return stems(name)


def f1(left: frozenset[str], right: frozenset[str]) -> float:
    """Token F1 of two sets of stems."""
    shared = len(left & right)
    return 2 * shared / (len(left) + len(right)) if shared else 0.0


def is_process_word(word: str) -> bool:
    """Whether a head noun names something one does or builds, by list or by ending."""
    low = word.lower()
    if low in CONCEPT_HEADS or (
        low not in PROCESS_HEADS and (low in _NOT_PROCESS or low.removesuffix("s") in _NOT_PROCESS)
    ):
        return False
    if low in PROCESS_HEADS or (low.endswith("s") and low[:-1] in PROCESS_HEADS):
        return True
    base = low[:-1] if low.endswith("s") and not low.endswith("ss") else low
    return len(base) > 5 and base.endswith(_PROCESS_ENDINGS)


def slug(name: str) -> str:
    """Lower-case words joined by hyphens, at most 80 characters; "technique" for a name without any letter."""
    text = "-".join(re.findall(r"[a-z0-9]+", name.lower()))
    return text[:80].strip("-") or "technique"


_EMPTY_STEMS = frozenset(stem(word) for word in EMPTY_HEADS)
