"""Leave files behind that say they are terabytes and hold nothing: whoever reads them reads for days."""

import os

from probe import done

answers = {}
for size in (1 << 33, 1 << 40, 1 << 43):
    try:
        with open("sparse%d" % size, "wb") as file:
            os.truncate(file.fileno(), size)
        answers[size] = "made"
    except OSError as error:
        answers[size] = str(error)
done(answers)
