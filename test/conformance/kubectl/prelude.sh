# Tools for each step of a transcript: kubectl, $NODE (the name of the node), $IMAGE (an image with a shell),
# $NAMESPACE (its own).
kubectl() { "$KUBECTL" "$@"; }

# eventually PATTERN COMMAND...: repeats the command until its output has the pattern, and prints that.
# Fails after 120 s, and prints the last output.
eventually() {
  local pattern=$1 output end=$((SECONDS + 120))
  shift
  while [ $SECONDS -lt $end ]; do
    output=$("$@" 2>&1)
    if grep -Eq -- "$pattern" <<<"$output"; then
      printf '%s\n' "$output"
      return
    fi
    sleep 0.1
  done
  printf 'never had %s: %s\n' "$pattern" "$output"
  return 1
}
