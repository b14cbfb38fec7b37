/** How images are tagged, with the shipped defaults. Pure. */
import type { Located } from '../../../../model/located-tree.ts';
import type { TagPolicy } from '../model.ts';
import { listAt, mapAt, partAt, textAt } from '../tree-edit.ts';

type GitTags = Extract<TagPolicy, { kind: 'gitCommit' }>;

const DATE_FORMAT = '2006-01-02_15-04-05.999_MST';

export function convertTagPolicy(tree: Located | undefined): TagPolicy {
  const has = (name: string): boolean => mapAt(tree)?.fields.has(name) === true;
  if (has('sha256')) return { kind: 'sha256' };
  if (has('inputDigest')) return { kind: 'inputDigest' };
  if (has('envTemplate')) {
    return { kind: 'envTemplate', template: textAt(tree, 'envTemplate', 'template') ?? '' };
  }
  if (has('dateTime')) {
    return dateTags(partAt(tree, 'dateTime'));
  }
  if (has('customTemplate')) {
    const components = listAt(tree, 'customTemplate', 'components').map((one) => ({
      name: textAt(one, 'name') ?? '',
      policy: convertTagPolicy(one),
    }));
    const template = textAt(tree, 'customTemplate', 'template') ?? '';
    return { kind: 'customTemplate', template, components };
  }
  return gitTags(partAt(tree, 'gitCommit'));
}

function gitTags(git: Located | undefined): GitTags {
  return {
    kind: 'gitCommit',
    variant: (textAt(git, 'variant') ?? 'Tags') as GitTags['variant'],
    prefix: textAt(git, 'prefix') ?? '',
    ignoreChanges: textAt(git, 'ignoreChanges') === 'true',
  };
}

function dateTags(tree: Located | undefined): TagPolicy {
  const format = textAt(tree, 'format') ?? DATE_FORMAT;
  return { kind: 'dateTime', format, timezone: textAt(tree, 'timezone') ?? 'Local' };
}
