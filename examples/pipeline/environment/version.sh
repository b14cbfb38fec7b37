#!/bin/sh
# What later hooks and the tag are to know.
set -eu
{
  echo "VERSION=$(cat version.txt)"
  echo 'RELEASE_TOKEN=not-for-the-log'
} >>"$LIFEHOOK_ENV"
