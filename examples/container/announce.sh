#!/bin/sh
# A hook: appends one line about itself and the container's state, which it reads from stdin.
state=$(cat)
echo "${LIFEHOOK_STAGE:-?} $1 exit=${LIFEHOOK_EXIT_CODE:--} $state" >>"${0%/*}/announced.log"
