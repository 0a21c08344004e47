"""Leave as many small outputs as the limits allow."""

from probe import done, trying

trying()
made = 0
try:
    for number in range(20000):
        with open("%d" % number, "w") as file:
            file.write("x")
        made += 1
except OSError:
    pass
done(made)
