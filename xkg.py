"""The command line, assembled lazily so that `xkg --help` answers at once.

A command is a place in `COMMANDS`: its words, the object that implements it as ``module:attribute``, and nothing is
imported before one of its words is typed. Groups may draw commands from several packages (`paper parse` reads
sources, `paper show` reads the graph).
"""

import importlib
import sys

import click

__all__ = ["COMMANDS", "GROUPS", "cli", "main"]

GROUPS = {
    "agent": "Agents that replicate a paper: run, resume, show what one did.",
    "algorithm": "Algorithms of papers: show.",
    "code": "Code: show it, run it, verify it, make modules of it.",
    "concept": "Concepts: the same technique across papers.",
    "config": "The configuration in force.",
    "corpus": "Corpora: planned for a target paper and priced, built, reviewed by a curator.",
    "db": "The graph database: local server, migrations, Neo4j Browser.",
    "environment": "Python environments that code runs in: what the cache holds, and making room.",
    "equation": "Equations of papers: show, with the sentence around.",
    "export": "Write the graph in formats of other projects.",
    "graph": "The graph as a whole: statistics, audit, pruning, backup, restore.",
    "import": "Read graphs of other projects.",
    "ingest": "Turn papers and their repositories into graph.",
    "llm": "Language models: whether one works, and what they cost.",
    "paper": "Papers: parse, list, show, read, remove.",
    "sandbox": "Run code that nobody vouches for, and see what protects this machine.",
    "search": "Ask the graph: of one kind (techniques, code, papers, …), or QUERY alone for all kinds.",
    "section": "Sections of papers: show.",
    "skill": "The skill by which coding agents use the graph.",
    "table": "Tables of papers: show.",
    "technique": "Techniques: show, with code and evidence.",
}

COMMANDS = {
    ("agent", "resume"): "agents.cli.agent:agent_resume",
    ("agent", "run"): "agents.cli.agent:agent_run",
    ("agent", "show"): "agents.cli.agent:agent_show",
    ("algorithm", "show"): "kg.cli.pieces:algorithm_show",
    ("code", "rewrite"): "ingest.cli.rewrite:code_rewrite",
    ("code", "run"): "ingest.cli.code_run:code_run",
    ("code", "show"): "kg.cli.show:code_show",
    ("code", "verify"): "ingest.cli.code:code_verify",
    ("concept", "list"): "kg.cli.concept:concept_list",
    ("concept", "show"): "kg.cli.concept:concept_show",
    ("concept", "refresh"): "agents.cli.concept:concept_refresh",
    ("concept", "candidates"): "kg.cli.concept:concept_candidates",
    ("concept", "accept"): "kg.cli.concept:concept_accept",
    ("concept", "reject"): "kg.cli.concept:concept_reject",
    ("concept", "merge"): "kg.cli.concept:concept_merge",
    ("concept", "split"): "kg.cli.concept:concept_split",
    ("config", "show"): "kg.cli.doctor:config_show",
    ("corpus", "plan"): "ingest.cli.corpus:corpus_plan",
    ("corpus", "build"): "ingest.cli.corpus:corpus_build",
    ("corpus", "review"): "kg.cli.review:corpus_review",
    ("db", "start"): "kg.cli.db:db_start",
    ("db", "stop"): "kg.cli.db:db_stop",
    ("db", "status"): "kg.cli.db:db_status",
    ("db", "migrate"): "kg.cli.db:db_migrate",
    ("db", "browser"): "kg.cli.db:db_browser",
    ("db", "path"): "kg.cli.db:db_path",
    ("db", "reset"): "kg.cli.db:db_reset",
    ("equation", "show"): "kg.cli.pieces:equation_show",
    ("environment", "list"): "agents.cli.environment:environment_list",
    ("environment", "prune"): "agents.cli.environment:environment_prune",
    ("export", "xkg-json"): "kg.cli.xkg_json:export_xkg_json",
    ("graph", "stats"): "kg.cli.graph:graph_stats",
    ("graph", "audit"): "kg.cli.graph:graph_audit",
    ("graph", "export"): "kg.cli.graph:graph_export",
    ("graph", "import"): "kg.cli.graph:graph_import",
    ("graph", "prune"): "kg.cli.prune:graph_prune",
    ("import", "xkg-json"): "ingest.cli.importing:import_xkg_json",
    ("ingest", "paper"): "ingest.cli.ingest:ingest_paper",
    ("ingest", "corpus"): "ingest.cli.ingest:ingest_corpus",
    ("llm", "doctor"): "agents.cli.llm:llm_doctor",
    ("llm", "spent"): "agents.cli.llm:llm_spent",
    ("paper", "parse"): "ingest.cli.paper:paper_parse",
    ("paper", "techniques"): "ingest.cli.paper:paper_techniques",
    ("paper", "list"): "kg.cli.show:paper_list",
    ("paper", "show"): "kg.cli.show:paper_show",
    ("paper", "similar"): "kg.cli.similar:paper_similar",
    ("paper", "read"): "kg.cli.pieces:paper_read",
    ("paper", "remove"): "kg.cli.graph:paper_remove",
    ("sandbox", "doctor"): "agents.cli.sandbox_doctor:sandbox_doctor",
    ("sandbox", "run"): "agents.cli.sandbox:sandbox_run",
    ("sandbox", "build"): "agents.cli.sandbox_build:sandbox_build",
    ("search", "techniques"): "kg.cli.search:search_techniques",
    ("search", "all"): "agents.cli.search:search_all",
    ("search", "code"): "kg.cli.search:search_code",
    ("search", "equations"): "kg.cli.pieces:search_equations",
    ("search", "papers"): "kg.cli.search:search_papers",
    ("search", "sections"): "kg.cli.search:search_sections",
    ("skill", "install"): "agents.cli.skill:skill_install",
    ("section", "show"): "kg.cli.pieces:section_show",
    ("table", "show"): "kg.cli.pieces:table_show",
    ("technique", "show"): "kg.cli.show:technique_show",
    ("technique", "similar"): "kg.cli.similar:technique_similar",
    ("mcp",): "agents.cli.mcp:mcp",
    ("doctor",): "agents.cli.doctor:doctor",
    ("explore",): "explore.cli:explore",
    ("setup",): "agents.cli.setup:setup",
}

DEFAULTS: dict[tuple[str, ...], str] = {("search",): "all"}
"""What a group does when its first argument is none of its commands: `xkg search some words`."""

SINGLES = {
    "doctor": "What works here, what doesn't, and the command that mends it.",
    "mcp": "Serve the graph's tools to agents by the Model Context Protocol.",
    "explore": "Explore the graph in a web browser: papers, techniques, code, the curator's queue.",
    "setup": "Fetch and prepare all that later commands need, so that they work offline.",
}


def _load(target: str) -> click.Command:
    module, _, attribute = target.partition(":")
    command = getattr(importlib.import_module(module), attribute)
    assert isinstance(command, click.Command)  # noqa: S101 -- a mistake in COMMANDS, found by the test that loads all
    return command


class LazyGroup(click.Group):
    """The commands of `COMMANDS` that start with `words`; imported when asked for by name."""

    words: tuple[str, ...] = ()

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        depth = len(self.words)
        return sorted({words[depth] for words in COMMANDS if words[:depth] == self.words})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click's
        words = (*self.words, cmd_name)
        if words in COMMANDS:
            return _load(COMMANDS[words])
        if any(known[: len(words)] == words for known in COMMANDS):
            group = LazyGroup(name=cmd_name, help=GROUPS[cmd_name])
            group.words = words
            return group
        return None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        default = DEFAULTS.get(self.words)
        known = {*self.list_commands(ctx), *self.get_help_option_names(ctx)}
        return super().parse_args(ctx, [default, *args] if default and args and args[0] not in known else args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.words:
            return super().format_commands(ctx, formatter)
        with formatter.section("Commands"):
            formatter.write_dl(sorted({**GROUPS, **SINGLES}.items()))
        return None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="xkg")
def cli() -> None:
    """Turn research papers into knowledge that runs.

    Data goes to stdout, progress to stderr. Exit codes: 0 ok, 1 unexpected, 2 usage or bad input, 3 a needed service
    is not reachable, 4 partial, 5 budget reached, 130 interrupted.
    """


def _is_text(argument: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in argument)


def main() -> None:
    """The console entry point: one sentence for what the user can mend, never a traceback for it."""
    from kg.cli.common import fail
    from kg.errors import InputError, ServiceError, XkgError

    try:
        code = cli.main(standalone_mode=False)
    except XkgError as error:
        code = fail(error)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("xkg: interrupted; running the same command again resumes", err=True)
        code = 130
    except UnicodeEncodeError:
        argument = next((one for one in sys.argv[1:] if not _is_text(one)), None)
        if argument is None:
            raise
        told = ascii(argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        code = fail(InputError(f"the argument {told} is not UTF-8", remedy="give it as text in UTF-8"))
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    except OSError as error:
        if error.errno not in (28, 122):  # no space left, quota exceeded
            raise
        code = fail(ServiceError("the disk is full", where=str(error.filename or ""), remedy="free space, run again"))
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
