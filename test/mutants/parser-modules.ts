/** Mutant modules that parse the files of users and of programs (see modules.ts). */
import { type MutantModule, within } from './mutant-module.ts';

const CONTAINER = 'src/lifecycles/container';
const PIPELINE = 'src/lifecycles/pipeline';

export const parserModules: readonly MutantModule[] = [
  {
    name: 'hooks',
    mutated: [
      ...within('src/model', 'exit-code.ts', 'expected-status.ts', 'problem.ts'),
      ...within('src/model', 'hook-problems.ts', 'hook-schema.ts', 'nearest-word.ts'),
      ...within('src/model', 'split-documents.ts'),
    ],
    tests: ['src/model'],
    floor: 90,
  },
  {
    name: 'documents',
    mutated: within('src/model', 'inexact-integer.ts', 'located-document.ts', 'located-tree.ts'),
    tests: ['src/model'],
    floor: 90,
  },
  {
    name: 'secrets',
    mutated: [
      ...within('src/model', 'secrets.ts', 'secret-forms.ts', 'secret-pieces.ts'),
      ...within('src/model', 'secret-shapes.ts'),
    ],
    tests: [
      ...within('src/model', 'secrets.test.ts', 'secret-forms.test.ts', 'secret-names.test.ts'),
      ...within('src/model', 'secret-pieces.test.ts', 'secret-shapes.test.ts'),
    ],
    floor: 90,
  },
  {
    name: 'hook-files',
    mutated: [
      ...within(`${CONTAINER}/hooksd`, 'json-fields.ts', 'json-string.ts'),
      ...within(`${CONTAINER}/hooksd`, 'json-text.ts', 'lint-keys.ts'),
      ...within(`${CONTAINER}/hooksd`, 'lint-when.ts', 'lint.ts', 'literal-first.ts', 'scan.ts'),
      `${CONTAINER}/hooksd/literal.ts`,
      ...within(`${CONTAINER}/hooksd`, 'hook-file.ts', 'hook-schemas.ts', 'check-hook.ts'),
      'src/model/re2.ts',
      'src/platform/byte-text.ts',
    ],
    tests: [
      `${CONTAINER}/hooksd`,
      ...within('src', 'model/re2.test.ts', 'platform/byte-text.test.ts'),
    ],
    // These tests convert many files, or wait for a directory to change.
    actingTests: within(`${CONTAINER}/hooksd`, 'convert.test.ts', 'watch.test.ts'),
    floor: 98,
  },
  {
    name: 'bundle-config',
    mutated: [
      ...within(`${CONTAINER}/config`, 'configured-hooks.ts', 'config-text.ts'),
      ...within(`${CONTAINER}/config`, 'json-scan.ts', 'splice.ts'),
    ],
    tests: [`${CONTAINER}/config`],
    floor: 90,
  },
  {
    name: 'pipeline-config',
    mutated: [
      ...within(`${PIPELINE}/config`, 'activation.ts', 'json-patch.ts'),
      ...within(`${PIPELINE}/config`, 'tree-edit.ts', 'hook-item.ts'),
    ],
    tests: [`${PIPELINE}/config`],
    floor: 90,
  },
  {
    name: 'kube',
    mutated: [
      ...within('src/kube', 'label-selector.ts', 'answer-error.ts'),
      ...within('src/kube', 'kube-config.ts', 'kube-config-entries.ts'),
    ],
    tests: [
      ...within('src/kube', 'kube-config.test.ts', 'kube-config-choice.test.ts'),
      ...within('src/kube', 'kube-config-entries.test.ts', 'kube-config-fields.test.ts'),
      ...within('src/kube', 'label-selector.test.ts', 'answer-error.test.ts'),
      ...within('src/kube', 'in-cluster.test.ts'),
    ],
    floor: 90,
  },
  {
    name: 'journal',
    mutated: within('src/store', 'journal-line.ts', 'journal.ts'),
    tests: [
      ...within('src/store', 'journal-line.test.ts', 'journal.test.ts', 'journal-recovery.test.ts'),
      'src/store/file-ledger.test.ts',
    ],
    floor: 90,
  },
  {
    name: 'patches',
    mutated: ['packages/local-cluster/src/objects/patch'],
    tests: ['packages/local-cluster/src/objects/patch'],
    floor: 98,
  },
];
