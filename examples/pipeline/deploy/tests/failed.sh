#!/bin/sh
# Where it went wrong is told by Lifehook; this is for what has to be tidied up.
echo 'the deployment is looked after'
