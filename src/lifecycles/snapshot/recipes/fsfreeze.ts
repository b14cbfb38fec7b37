import { checkCommand, checkDefaults, directoryParameter } from './checks/check-shell.ts';
import type { Recipe, RecipeVerify } from './recipe.ts';
import { shellCommand } from './shell-command.ts';

/**
 * Reads the files only: the mount has already replayed the journal of the copy's file system. An fsck would need the
 * device, which the pod does not have.
 */
const filesCheck: RecipeVerify = {
  ...checkDefaults,
  summary: 'Reads every file of the mounted copy; does not check the data of the application.',
  tested: true,
  parameters: [directoryParameter],
  needs: {
    programs: ['sh', 'find', 'cat', 'stat', 'mktemp'],
    privileges: ['the user may read every file'],
  },
  command: (parameters, path) => checkCommand({ script: READ_ALL, path, parameters }),
};

const READ_ALL = `need find
find "$copy" -type f -exec cat {} + >/dev/null || broken 'not every file of the copy can be read'
`;

/**
 * Freezes a whole file system, which another process may have frozen before.
 *
 * A file system that is already frozen (EBUSY) is refused, or accepted if the user sets `ifFrozen`. In both cases the
 * session does not thaw it. A session is never opened again after an attempt with an unknown end. So a file system that
 * is frozen already was not frozen by this container. There is no probe: every available check either freezes or blocks
 * for ever.
 */
export const fsfreeze: Recipe = {
  name: 'fsfreeze',
  application: 'any, on ext4, XFS, Btrfs or F2FS',
  summary: 'Freezes the file system of a mount: everything that writes to it waits.',
  lockClass: 'superblock',
  lockScope: 'Kernel',
  tested: true,
  parameters: [
    { name: 'path', description: 'where the volume is mounted in the container' },
    {
      name: 'ifFrozen',
      description:
        'what to do if the file system is frozen already: "fail" or "accept". Use "accept" only if another container of the hook, or another program, keeps it frozen until after the cut',
      defaultValue: 'fail',
      pattern: /^(fail|accept)$/,
    },
  ],
  needs: {
    programs: ['sh', 'fsfreeze', 'sleep'],
    privileges: [
      'CAP_SYS_ADMIN, as in a privileged container',
      'the root file system of the container is not the one that is frozen, so that the thaw can write to it',
    ],
  },
  maxFreezeSeconds: 60,
  exitCodes: {
    1: 'not permitted, not a file system that can be frozen, or frozen already (EBUSY): the output says which',
    127: 'the image has no "fsfreeze"',
  },
  priorState:
    'whether this container froze the file system: if not, its session does not thaw it; a rescue pod does not know that, and thaws it',
  verify: filesCheck,
  actions: ({ path = '', ifFrozen = '' }) => ({
    preAction: {
      session: {
        freeze: shellCommand(FREEZE, path, ifFrozen),
        thaw: shellCommand(THAW, path),
        windowSeconds: 10,
      },
    },
    expirationSeconds: 60,
    rescue: {},
  }),
};

/**
 * The shell function `ask` runs fsfreeze. It sets `said` to the output and `code` to the exit code. LC_ALL=C because
 * `said` is parsed.
 */
const ask = `ask() {
  said=$(LC_ALL=C fsfreeze "$@" 2>&1)
  code=$?
  [ -z "$said" ] || printf '%s\\n' "$said" >&2
}
`;

const FREEZE = `${ask}ask --freeze "$1"
if [ "$code" -eq 0 ]; then echo ours; exit 0; fi
echo not-ours
case $2:$said in accept:*'Device or resource busy'*) exit 0 ;; esac
exit "$code"
`;

/** EINVAL: the file system is thawed already, which is enough. Any other failure proves no thaw. */
const THAW = `${ask}[ "\${LIFEHOOK_PRIOR-}" != not-ours ] || exit 0
ask --unfreeze "$1"
case $said in *'Invalid argument'*) exit 0 ;; esac
exit "$code"
`;
