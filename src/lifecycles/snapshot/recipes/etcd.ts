/** The recipe for etcd, which uses etcdctl in its container. */
import { checkCommand, checkDefaults, directoryParameter } from './checks/check-shell.ts';
import type { Recipe, RecipeParameter, RecipeVerify } from './recipe.ts';
import { passwordParameter, secretFunction, shellCommand } from './shell-command.ts';

/** Restores the backup, since only a restore compares its checksum: `snapshot status` of some releases does not. */
const etcdCheck: RecipeVerify = {
  ...checkDefaults,
  summary:
    'Restores the backup into a temporary directory of the copy; the restore compares its checksum.',
  tested: true,
  parameters: [
    directoryParameter,
    {
      name: 'file',
      description: 'name of the backup in that directory',
      pattern: /^(?!\.{1,2}$)[^/\n]+$/,
    },
  ],
  needs: {
    programs: ['sh', 'etcdutl, or etcdctl before 3.6', 'stat', 'mktemp', 'rm'],
    privileges: ['the user may write to the copy, whose volume has space for one more backup'],
  },
  command: (parameters, path) =>
    checkCommand({ script: CHECK, path, parameters }, parameters['file'] ?? ''),
};

const CHECK = `tool=etcdctl
command -v etcdutl >/dev/null && tool=etcdutl
need "$tool"
[ -f "$copy/$1" ] || broken "the copy has no backup $copy/$1"
export ETCDCTL_API=3
scratch=$copy/lifehook-check
rm -rf "$scratch"
said=$("$tool" snapshot restore "$copy/$1" --data-dir "$scratch" 2>&1)
code=$?
rm -rf "$scratch"
[ "$code" -eq 0 ] || broken "$said"
"$tool" snapshot status "$copy/$1" 2>/dev/null || :
`;

const file = (name: string, what: string, variable: string): RecipeParameter => ({
  name,
  description: `path of the ${what}; empty: the path in ${variable} of the container, or none`,
  defaultValue: '',
});

const etcdParameters: readonly RecipeParameter[] = [
  {
    name: 'file',
    description: 'the absolute path of the backup in the container, on the volume of the snapshot',
    pattern: /^\/[^\n]*[^/\n]$/,
  },
  {
    name: 'endpoint',
    description: 'address of one member',
    defaultValue: '127.0.0.1:2379',
    pattern: /^(https?:\/\/)?[\w.:[\]-]+$/,
  },
  {
    name: 'user',
    description: 'user for the login, with the role root; empty: no login',
    defaultValue: '',
  },
  passwordParameter('ETCD_ROOT_PASSWORD'),
  file('caFile', 'CA certificate', 'ETCDCTL_CACERT'),
  file('certFile', 'client certificate', 'ETCDCTL_CERT'),
  file('keyFile', 'client key', 'ETCDCTL_KEY'),
];

/**
 * Etcd has no freeze, and needs none: it syncs its log before it acknowledges a write, and a snapshot of one member's
 * volume equals its disk after a power failure, from which etcd recovers. But only a backup that etcd makes itself has
 * a checksum, and can be restored to a new cluster of any size. So this recipe makes such a backup on the volume before
 * the cut.
 */
export const etcdSnapshot: Recipe = {
  name: 'etcd-snapshot',
  application: 'etcd 3',
  summary:
    'Saves a backup of etcd on the volume before the cut; writes continue, but are not in the backup.',
  lockClass: 'none',
  lockScope: 'Process',
  tested: true,
  parameters: etcdParameters,
  needs: {
    programs: ['sh', 'etcdctl', 'mv', 'rm'],
    privileges: [
      'the user may write the backup; the volume has space for it twice',
      'with authentication, the user of etcd has the role root',
    ],
  },
  maxFreezeSeconds: null,
  exitCodes: {
    1: 'the member is not healthy, refused the login, or could not be saved: the output says which',
    127: 'the image has no "etcdctl"',
  },
  priorState: null,
  verify: etcdCheck,
  actions: (parameters) => ({
    preAction: {
      exec: { command: saveCommand(parameters) },
      actionTimeoutSeconds: 300,
      idempotent: true,
    },
  }),
};

/** Writes the backup to a new file, so that a failed backup does not change the previous one. */
const SAVE = `set -e
${secretFunction}
file=$1 user=$3
export ETCDCTL_API=3 ETCDCTL_ENDPOINTS="$2"
[ -z "$user" ] || export ETCDCTL_USER="$user:$(secret $4 ETCD_ROOT_PASSWORD)"
[ -z "$5" ] || export ETCDCTL_CACERT="$5"
[ -z "$6" ] || export ETCDCTL_CERT="$6"
[ -z "$7" ] || export ETCDCTL_KEY="$7"
etcdctl endpoint health
rm -f "$file.new" "$file.new.part"
etcdctl snapshot save "$file.new"
mv -f "$file.new" "$file"
`;

function saveCommand(parameters: Readonly<Record<string, string>>): string[] {
  const { user = '', passwordVariable = '', caFile = '', certFile = '', keyFile = '' } = parameters;
  const { file: path = '', endpoint = '' } = parameters;
  return shellCommand(SAVE, path, endpoint, user, passwordVariable, caFile, certFile, keyFile);
}
