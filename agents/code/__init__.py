"""Programs as knowledge: units, modules cut out of repositories, mutants, verdicts. A folder is handed to it."""
