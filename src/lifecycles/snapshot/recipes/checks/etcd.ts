import type { RecipeVerify } from '../recipe.ts';
import { checkCommand, checkDefaults, directoryParameter } from './check-shell.ts';

/** A restore is what compares the checksum of the backup; `snapshot status` of some releases does not. */
export const etcdCheck: RecipeVerify = {
  ...checkDefaults,
  summary: 'Restores the backup to a temporary directory of the copy, which compares its checksum.',
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
    privileges: ['the user may write to the copy, which has room for the backup once more'],
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
