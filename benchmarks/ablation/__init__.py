"""What each part adds: the quality benches on the dev set with one feature off at a time."""
