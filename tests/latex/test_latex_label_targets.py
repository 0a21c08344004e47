"""A label names the piece around it, however many pieces there are."""

from pathlib import Path

from ingest.latex import parse_paper

MANY = 60


def test_labels_of_nested_environments_name_their_own_piece(tmp_path: Path) -> None:
    parts = [
        "\\begin{algorithm}\\begin{algorithmic}\\label{alg:%d}\\STATE x\\end{algorithmic}\\caption{A}\\end{algorithm}\n"
        "\\begin{equation}\\label{eq:%d} x = %d \\end{equation}\n"
        "\\begin{figure}\\caption{F}\\label{fig:%d}\\end{figure}\n" % (n, n, n, n)
        for n in range(MANY)
    ]
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\n" + "".join(parts) + "\\end{document}\n"
    )
    doc = parse_paper(tmp_path).doc
    assert {label.key: label.target for label in doc.labels} == {
        f"{kind}:{n}": f"{kind}/{kind}:{n}" for kind in ("alg", "eq", "fig") for n in range(MANY)
    }
