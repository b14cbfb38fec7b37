#!/bin/sh
# Sets values for later hooks, and for the tag.
set -eu
{
  echo "VERSION=$(cat version.txt)"
  echo 'RELEASE_TOKEN=not-for-the-log'
} >>"$LIFEHOOK_ENV"
