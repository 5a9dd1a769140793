# complete.zsh FOLDER LINE - what zsh's own completion offers for LINE and a tab, a word each, with the
# functions of FOLDER (_impactlab), where it also leaves a file. Completion works on a terminal alone: a
# shell on one of its own is asked, and prints the matches in place of showing them.
zmodload zsh/zpty || exit 2

cat >"$1/ask.zsh" <<'ASK'
PROMPT=
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
    local -a hits
    case " $* " in
    *" -O "* | *" -A "* | *" -D "*) builtin compadd "$@"; return ;;
    esac
    builtin compadd -O hits "$@"
    (( $#hits )) && print -rl -- "<"$^hits">"
    builtin compadd "$@"
}
finish() { print -r -- "<end>" }
comppostfuncs=(finish)
bindkey "^I" complete-word
print READY
ASK

cd "$1" || exit 2
zpty asked zsh -f -i
zpty -w asked "source ./ask.zsh"
while zpty -r asked line; do [[ $line == READY* ]] && break; done
zpty -w -n asked "$2"$'\t'
typeset -aU offered
while zpty -r asked line; do
    line=${line%%$'\r\n'}
    [[ $line == *'<end>' ]] && break
    [[ $line == *'<'*'>' ]] && offered+=("${${line##*<}%>}")
done
zpty -d asked
(( $#offered )) && print -rl -- $offered
exit 0
