"""Write into the folders that all programs of a machine share: inside they are the sandbox's own."""

from probe import TOKEN, done

answers = {}
for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock"):
    try:
        with open(folder + "/" + TOKEN, "w") as file:
            file.write(TOKEN)
        answers[folder] = "written"
    except OSError as error:
        answers[folder] = str(error)
done(answers)
