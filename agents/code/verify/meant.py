"""Sentences of documentation that mean a definition of the textbook without its name."""

import re

__all__ = ["MEANT", "MEANT_BY_ALL"]

_BEGIN = r"(?:(?:returns?|computes?|calculates?|gives?) )?(?:the |an? )?"
_OPENING = "^" + _BEGIN
_SCALED = r"\b(?:re)?(?:scale|normali[sz]e|divide|shift)[sd]?\b.*\b"
_CHECKSUM = (
    r"^(?:(?:computes?|calculates?|returns?|gives?) )?(?:the |an? )?NAME-?32\b(?: check ?sum| hash| code| value)?"
    r"(?= of\b| over\b| for\b|[.,;:(]|$)"
)
_ENDS_TOO = (
    r"^(?:(?:returns?|finds?) )?(?:the |all )*(?:indices|indexes|positions|places) (?:of|where) (?:the |all )*"
    r"(?:strict )?local SUCH\b(?!.*\b(?:plateaus?|flat|circular\w*|cyclic\w*|periodic\w*|prominence|distance)\b)"
    r".*\b(?:(?:first|last) (?:and|or) (?:the )?(?:first|last)|(?:both|the|its) (?:two )?ends|end ?points)\b"
    r"[^.;]{0,80}?\b(?:counts?|counted|included)\b"
)
_UNITED = r"(?!.*\b(?:same|labels?|gaps?|only|drop\w*|longest|keep\w*|weight\w*|tokens?|per|each|within|key)\b)"
MEANT = (
    (re.compile(_CHECKSUM.replace("NAME", "adler")), "adler32"),
    (re.compile(_CHECKSUM.replace("NAME", "crc")), "crc32"),
    (re.compile(r"^whether (?:\w+ ){1,3}is an? (?:valid )?ipv4 address(?=[.,;:(]|$)"), "is_ipv4"),
    (re.compile(r"^(?:whether .*\b(?:pass|passes|satisf(?:y|ies)|valid|correct)\b.*"
                r"|(?:checks?|validates?|verif(?:y|ies)|tests?)\b.*|(?:the )?)\bluhn\b"), "luhn"),
    (re.compile(r"^(?:(?:computes?|calculates?|returns?|gives?) )?(?:the )?levenshtein (?:edit )?distance\b"
                r"(?!.*\b(?:costs?|weigh\w*|twice|normali[sz]ed|ratio|indel|only|at most|up to|max)\b)"),
     "unit_levenshtein"),
    (re.compile(r"^(?:(?:computes?|calculates?|returns?|gives?) )?(?:the )?"
                r"(?:haversine(?: distance)?|great[- ]circle distance)\b(?=.*\b(?:kilomet(?:re|er)s?|km)\b)"
                r"(?!.*\b(?:miles?|met(?:re|er)s|radius|planet|unit sphere|nautical)\b)"), "great_circle_km"),
    (re.compile(r"^(?:(?:computes?|calculates?|returns?|gives?) )?(?:the )?"
                r"(?:haversine(?: distance)?|great[- ]circle distance)\b(?=.*(?<!kilo)met(?:re|er)s)"
                r"(?!.*\b(?:miles?|kilomet(?:re|er)s?|km|radius|planet|unit sphere|nautical)\b)"), "great_circle_m"),
    (re.compile(r"^(?:(?:computes?|calculates?|returns?|gives?) )?(?:the )?"
                r"(?:haversine(?: distance)?|great[- ]circle distance)\b(?=.*\bsphere of (?:the given )?radius\b)"
                r"(?!.*\b(?:planet|unit sphere|fraction|squared?|central angle)\b)"), "great_circle_of_earth"),
    (re.compile(r"\blinear(?:ly)?\b(?>.*?\bwarm-?up\b)(?>.*?\bthen\b)(?>.*?\bcosine\b)"
                r"(?>.*?\b(?:to|reach\w*) (?:0|zero)\b)(?!.*\b(?:restarts?|cycles?|hold|constant)\b)"),
     "warmup_cosine"),
    (re.compile(r"\b(?:kahan|neumaier|compensated)\b.*\bsum|\bsum.*\b(?:kahan|neumaier)\b"), "kahan_sum"),
    (re.compile(_SCALED + r"sums? (?:up )?to (?:one|1)\b"), "scaled_to_one"),
    (re.compile(r"^(?:returns? )?(?:the |a )?vector\b.{0,9}\bdivided by its (?:euclidean |l2[- ])(?:length|norm)\b"),
     "scaled_to_euclidean_length"),
    (re.compile(_SCALED + r"unit (?:l2[- ]|euclidean )?(?:length|norm)\b"), "scaled_to_length"),
    (re.compile(_SCALED + r"(?:zero mean|mean (?:of )?(?:zero|0)) and (?:unit|a? ?standard deviation|variance)"),
     "standardize"),
    (re.compile(r"\b(?:rk4|(?:classical|fourth[- ]order) [\w -]*runge-kutta)\b"), "rk4"),
    (re.compile(r"^(?:re)?(?:scales?|clips?)\b.*\bglobal norm\b"), "clip_by_global_norm"),
    (re.compile(r"^returns? (?:a list of )?the (?:items|values|numbers|elements)(?: sorted)? in ascending order[.;]?$"),
     "ascending"),
    (re.compile(r"^(?:re)?(?:scales?|normali[sz]es?) (?:the |a list of )?\w+ linearly to (?:the (?:range|interval) )?"
                r"\[0(?:\.0)?, ?1(?:\.0)?\]"), "min_max"),
    (re.compile(r"\bexponential moving average\b.*\b2 ?/ ?\(span ?\+ ?1\)"), "average_of_span"),
    (re.compile(r"^(?:the )?median of the last \w+ (?:values|samples|numbers|items)\b"
                r"(?!.*\b(?:upper|lower|low|high|odd|nearest|element)\b)"), "last_medians"),
    (re.compile(r"\bflattens?\b.*\b(?:deep|deeply|arbitrar\w+|recursive(?:ly)?|any (?:depth|level))\b"),
     "deep_flatten"),
    (re.compile(r"\bduplicates?\b.*\b(?:preserv|keep|retain|maintain)\w* (?:the )?(?:original )?order\b"
                r"|\bin order of (?:their )?first (?:appearance|occurrence)\b"), "unique_in_order"),
)  # fmt: skip
"""What the first sentence of a documentation says that the function computes: a method, or an order."""
MEANT_BY_ALL = (
    (re.compile(r"\b(?:value|worth|profit)\b(?=.*\bcapacity\b).*\b(?:each|every)\b.*\b(?:at most once|exists once)\b"),
     "knapsack_once"),
    (re.compile(r"^(?:viterbi(?: algorithm| decoding)?[:,.]? )?(?:returns? |computes? )?(?:the )?"
                r"(?:most (?:likely|probable)|likeliest) (?:sequence|path) of (?:\w+ )?states\b"),
     "most_likely_states"),
    (re.compile(r"^(?:(?:computes?|calculates?|returns?) )?(?:the )?area under (?:the |a )?roc curve\b"
                r".*\b(?:ties|tied|equal scores)\b.*\b(?:half|0\.5|1/2)\b"), "roc_auc_with_ties"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?number of (?:calendar )?days (?:from|between)\b"
                r"(?!.*\b(?:business|work\w*|trading|week\w*|360|365|30|months of|convention|about|season\w*)\b)"),
     "calendar_days"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?spearman(?:'s)?\b.*\b(?:ties|tied)\b.*\b(?:average|mean|mid)-?"
                r"(?: |ranks?)"), "spearman_with_ties"),
    (re.compile(r"^(?:(?:returns?|computes?|one level of) )*(?:the |an? )?orthonormal haar (?:wavelet )?transform\b"),
     "orthonormal_haar"),
    (re.compile(r"^(?:(?:computes?|calculates?|returns?) )?(?:the )?(?:chance|probability)\b.*\bpositive\b"
                r".*\b(?:higher|above|greater)\b.*\bnegative\b.*\b(?:ties|tied)\b.*\b(?:half|0\.5|1/2)\b"),
     "roc_auc_with_ties"),
    (re.compile(r"\barea\b.*\bpolygon\b.*\b(?:either|any) (?:orientation|order|direction)\b"),
     "area_of_either_orientation"),
    (re.compile(r"\bamong the first k\b.*\bdivided by k\b"), "precision_over_k"),
    (re.compile(r"\bangle in degrees between (?:two )?(?:compass |angles|directions|headings|bearings)"),
     "angle_in_degrees_between"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?(?:median|middle value)\b"
                r"(?!.*\b(?:window|each|per|along|weight\w*)\b).*\b(?:mean|average) of (?:the )?(?:two )?"
                r"(?:(?:values |numbers |ones )?in the )?(?:middle|cent(?:ral|re|er))\b"), "median_with_mean"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?unbiased (?:sample )?variance\b"), "unbiased_variance"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?(?:sample |unbiased )*standard deviation\b"
                r"(?!.*\b(?:each|per|along|weight\w*|window)\b).*\b(?:n ?- ?1\b|bessel)"), "unbiased_deviation"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?kullback[- ]leibler divergence\b"
                r"(?!.*(?:\bkl ?\(|\|\|)).*\bin nats\b"),
     "divergence_in_nats"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?kullback[- ]leibler divergence\b"
                r"(?!.*(?:\bkl ?\(|\|\|)).*\bin bits\b"),
     "divergence_in_bits"),
    (re.compile(r"^(?:returns? |computes? )?(?:the )?(?:2d |2x2 )?rotation matrix\b.*\bcounter-?clockwise\b"
                r"(?=.*\bradians?\b)(?!.*\b(?:rows?|transpos\w+|passive|axes|axis|frames?|basis|inverse|y down)\b)"),
     "counter_clockwise"),
    (re.compile(r"\bpercentile\b.*\blinear(?:ly)? interpolat"), "linear_percentile"),
    (re.compile(r"\branks?\b.*\b(?:equal|tied)\b.*\b(?:share|get|take|receive)s? the (?:average|mean)\b"), "midranks"),
    (re.compile(_OPENING + r"(?:closest|nearest) point\b.*\bprobability simplex\b"
                r"|^(?:euclidean )?project(?:s|ion)?\b.*\bonto the (?:probability |unit |standard )?simplex\b"),
     "project_simplex"),
    (re.compile(_OPENING + r"(?:average|mean) (?:compass |wind )?(?:heading|bearing|direction)s?\b"
                r"(?=.*\b(?:degrees|radians)\b)"), "circular_mean"),
    (re.compile(_OPENING + r"(?:kish(?:'s)? )?effective (?:number of samples|sample size)\b.*\bweights\b"),
     "effective_sample_size"),
    (re.compile(_OPENING + r"(?:centroid|cent(?:re|er) of (?:gravity|mass))\b.*\bpolygon\b"), "polygon_centroid"),
    (re.compile(_OPENING + r"(?:shortest |least )?distance (?:from|of|between) (?:a|the) point (?:to|from|and)"
                r" (?:the nearest point of )?(?:a |the )?(?:line )?(?:segment\b|(?:wall|edge) (?:from|between)\b)"),
     "point_segment_distance"),
    (re.compile(_OPENING + r"(?:area (?:common to|shared by|of overlap of) two boxes\b.*\bover\b"
                r"|intersection over (?:the )?union (?:of|between|for) two (?:\w+ )?boxes\b)"), "iou"),
    (re.compile(_OPENING + r"(?:area|integral)\b.*\btrapezoid(?:s|al rule)\b"), "trapezoid"),
    (re.compile(r"^(?:dijkstra(?:'s algorithm)?[:,.]? )?" + _BEGIN
                + r"(?:lowest|least|smallest|minimal|shortest)(?: total)? (?:cost|distance|weight|length)s? "
                r"(?:from (?:the |a )?(?:start|source|root|\w+ node)\w* to (?:every|each|all)\b"
                r"|of reaching (?:every|each|all) .*\bfrom (?:the |a )?(?:start|source|root|\w+ node))"), "dijkstra"),
    (re.compile(_OPENING + r"(?:total )?(?:length|cost|weight) of (?:the|a) (?:shortest|cheapest|lightest) "
                r"(?:path|route)\b"
                r"(?!.*\b(?:edges|hops|steps|links|grid|maze|unweighted|tree|at most|more than|fewer|exactly|via)\b)"),
     "length_of_shortest"),
    (re.compile(_OPENING + r"(?:least|fewest|smallest|minimum|minimal) number of coins\b"
                r"(?!.*\b(?:greed\w*|canonical|standard|us|each once|at most once|limited(?<!unlimited))\b)"),
     "fewest_coins"),
    (re.compile(_OPENING + r"(?:sample )?autocovariance (?:at|of)\b"), "autocovariance"),
    (re.compile(_OPENING + r"(?:cumulative|running) (?:integral|area)\b.*\btrapezoid"), "cumulative_trapezoid"),
    (re.compile(_OPENING + r"length of the longest strictly (?:increasing|rising|ascending) subsequence\b"), "lis"),
    (re.compile(r"^(?:whether|checks? (?:if|whether)|true if) (?:the |two )?(?:line )?segments?\b"
                r"(?>.*?\b(?:intersect|cross|meet|(?:points?|anything) in common|share a (?:common )?point)\b)"
                r"(?>.*?\b(?:touch(?:es|ing)?|common)\b[^.;]{0,80}?\b(?:count(?:s|ed)?|included)\b)(?!.*\b(?:toleran\w*|parallel|collinear))"),
     "segments_that_meet"),
    (re.compile(_ENDS_TOO.replace("SUCH", "(?:maxima|peaks)")), "peaks_also_at_ends"),
    (re.compile(_ENDS_TOO.replace("SUCH", "minima")), "dips_also_at_ends"),
    (re.compile(r"^whether (?:the |a )?point (?:is|lies|falls) (?:with)?in(?:side)?(?: of)? (?:a |the )"
                r"(?:simple )?polygon\b"), "point_in_polygon"),
    (re.compile(r"\b(?:standings|places?|positions?|ranks?|ranking)\b.*"
                r"\b(?:equal \w+|tied \w+|ties|(?:players|items|those) with (?:an )?equal \w+) shares? "
                r"(?:(?:a|the|one) (?:same |best |lowest |smallest |better )?(?:place|position|rank)\b"
                r"|the (?:best|lowest|smallest) of their (?:places|positions|ranks)\b)"), "shared_places"),
    (re.compile(r"\b(?:levels?|depths?|heights?|layers?|tiers?|stages?)\b(?>.*?\b(?:0|zero)\b[^.;]{0,80}?\b"
                r"(?:dependenc|prerequisit|parents|children|requirements|predecessors)\w*)"
                r"(?>.*?\b(?:one (?:more|higher|above|deeper)(?: than)?|1 \+) (?:the |its |their )?"
                r"(?:highest|greatest|largest|maximum|deepest|max)\b)"), "levels_above_all"),
    (re.compile(r"\bq-?values?\b.*\bstep-?up\b|^benjamini-hochberg\b"), "benjamini_hochberg"),
    (re.compile(r"^undo(?:es)? the (?:jumps|wraps?|wrapping)\b|^unwraps? (?:a |the )?(?:\w+ )?(?:phases?|angles?)\b"),
     "unwrap_phase"),
    (re.compile(r"\bsubstitutions\b(?>.*?\bdeletions\b)(?>.*?\binsertions\b)(?>.*?\b(?:per|over|by)\b)"
                r"(?>.*?\breference words?\b)"),
     "word_error_rate"),
    (re.compile(r"\b(?:overlapping|intersecting)\b(?: (?:and|or) (?:touching|adjacent|nested))?"
                r"(?: (?:ones|spans|intervals|ranges))? (?:become one|are (?:merged|joined|combined|united|made one))\b"
                + _UNITED), "united_spans"),
    (re.compile(r"^merges? (?:all )?overlapping (?:spans|intervals|ranges)\b" + _UNITED), "united_spans"),
    (re.compile(r"^(?=.*\b(?:dict\w*|mappings?|config\w*|settings)\b)(?=.*\b(?:merg\w+|updat\w+|combin\w+)\b)"
                r"(?!.*\b(?:one level|two levels|max\w*|up to|only|unless|except|shallow\w*|exist\w*|known|missing"
                r"|depth=|delet\w*|remov\w*|common|both)\b).*\b(?:at (?:every|all|each|any) (?:level|depth)s?"
                r"|(?:to|of) (?:any|arbitrary) depth|recursively)\b"), "merged_at_every_level"),
    (re.compile(r"\bmonths?\b(?: \w+)? (?:later|after|on|added)\b.*\b(?:the|its|that) (?:(?:\w+ )?month's )?last day\b"
                r"(?!.*\b(?:business|work\w*|trading|always|28)\b)"
                r"|^adds? (?:\w+ )?months\b.*\b(?:the|its|that) (?:(?:\w+ )?month's )?last day\b"
                r"(?!.*\b(?:business|work\w*|trading|always|28)\b)"), "months_later"),
    (re.compile(_OPENING + r"age\b.*\bin (?:completed|full|whole|complete) years\b"
                r"(?!.*\b(?:korean|east asian|lunar|months|days|approx\w*|ignor\w*|about)\b)"), "completed_years"),
    (re.compile(r"^convolv(?:e[sd]?|ing)\b|^(?:the )?(?:discrete )?convolution of\b"), "discrete_convolution"),
)  # fmt: skip
"""The same of all up to a full stop."""
