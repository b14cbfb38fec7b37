/** The fields of a skaffold.yaml that are read, and which of them have no effect. Pure. */
import { fieldsOf, ROOT_TYPE } from '../src/lifecycles/pipeline/config/field-table.ts';
import { effectOf } from '../src/lifecycles/pipeline/config/field-effects.ts';
import { NEWEST, VERSIONS } from '../src/lifecycles/pipeline/config/upgrade/upgrade.ts';

export function skaffoldPage(generated: string): string {
  const types = reachable();
  const sections = [...types].map(
    (type) => `## ${type}\n\n| field | type | |\n| --- | --- | --- |\n${rowsOf(type, types)}`,
  );
  return `# skaffold.yaml

${generated}

The fields of ${NEWEST}. Older files, down to ${VERSIONS[0] ?? ''}, are upgraded to it when they are read. If the last column is
empty, the field has the same effect as in Skaffold. A refused field is an error at its place (LHL135), unless
\`--ignore-unsupported\` is given. A field without effect is named in a warning (LHL109). [pipeline.md](../pipeline.md) explains
the hooks.

${sections.join('\n')}`;
}

/** The types in the order in which a reader meets them. */
function reachable(): ReadonlySet<string> {
  const found = new Set([ROOT_TYPE]);
  for (const type of found) {
    for (const part of Object.values(fieldsOf(type) ?? {})) {
      const name = bare(part);
      if (fieldsOf(name) !== null && !isIdle(type, part)) found.add(name);
    }
  }
  return found;
}

/** Whether only unsupported fields of the type have this part: their contents need no documentation. */
function isIdle(type: string, part: string): boolean {
  const fields = Object.entries(fieldsOf(type) ?? {}).filter(([, other]) => other === part);
  return fields.every(([name]) => effectOf(`${type}.${name}`).kind !== 'done');
}

function rowsOf(type: string, types: ReadonlySet<string>): string {
  return Object.entries(fieldsOf(type) ?? {})
    .map(([name, part]) => {
      return `| \`${name}\` | ${shown(part, types)} | ${effectText(`${type}.${name}`)} |\n`;
    })
    .join('');
}

/** Says that the field is refused or has no effect, and why; empty if the field is supported. */
function effectText(field: string): string {
  const effect = effectOf(field);
  switch (effect.kind) {
    case 'done':
      return '';
    case 'refused':
      return `refused: ${effect.rule.why}; ignored, ${effect.rule.ignored}`;
    case 'refusedAlways':
      return `refused (LHL134), also with \`--ignore-unsupported\`: ${effect.why}`;
    case 'idle':
      return `no effect here: ${effect.reason}`;
    default:
      return effect satisfies never;
  }
}

function bare(part: string): string {
  return part.replace(/^(\[\]|\{\})+/, '');
}

/** A type as a user reads it, with a link if the type has a section. */
function shown(part: string, types: ReadonlySet<string>): string {
  const list = part.startsWith('[]') ? 'list of ' : part.startsWith('{}') ? 'map of ' : '';
  const name = bare(part);
  return list + (types.has(name) ? `[${name}](#${name.toLowerCase()})` : name);
}
