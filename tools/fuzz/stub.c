/* Stands in the box under the name of every program: notes that it was started, and with which words.

   A record is the length of the rest in four bytes, then the path and each word with a NUL behind it. A name that has a
   real program in /.real becomes that. The others do nothing; n0 to n9 fail, and y0 to y9 print their words. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST 65536

static char record[MOST];
static size_t used = sizeof(uint32_t);

static void add(const char *text) {
    size_t size = strlen(text) + 1;
    if (used + size > MOST) {
        return; /* what is cut compares as too few words, which is told */
    }
    memcpy(record + used, text, size);
    used += size;
}

static void note(const char *path, char **words) {
    int file = open("/.log/started", O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    add(path);
    for (char **word = words; *word != NULL; word++) {
        add(*word);
    }
    uint32_t size = (uint32_t)(used - sizeof(uint32_t));
    memcpy(record, &size, sizeof size);
    if (write(file, record, used) < 0) {
        _exit(99);
    }
    close(file);
}

/* What sudo and its like run: the first word that is neither an option nor `name=value`. */
static void become_rest(char **words) {
    for (words++; *words != NULL; words++) {
        if (strcmp(*words, "-u") == 0 && words[1] != NULL) {
            words++;
        } else if ((*words)[0] != '-' && strchr(*words, '=') == NULL) {
            execvp(*words, words);
            _exit(127);
        }
    }
}

int main(int count, char **words) {
    char path[4096] = ""; /* of the file itself: the first word is what the caller likes, or a script's name */
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) {
        return 99;
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    char real[256];
    note(path, words);
    if (strcmp(name, "sh") == 0) {
        name = access("/.log/dash", F_OK) == 0 ? "dash" : "bash";
    }
    snprintf(real, sizeof real, "/.real/%s", name);
    if (access(real, X_OK) == 0) {
        execv(real, words);
    }
    if (strcmp(name, "sudo") == 0 || strcmp(name, "doas") == 0) {
        become_rest(words);
    }
    if (name[0] == 'y') {
        for (int at = 1; at < count; at++) {
            printf(at + 1 < count ? "%s " : "%s\n", words[at]);
        }
    }
    return name[0] == 'n' && name[1] >= '0' && name[1] <= '9';
}
