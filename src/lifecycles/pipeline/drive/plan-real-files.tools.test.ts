/** Plans configurations like those of real projects, each in a repository with the files that it names. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import { type BuildStand, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { CORPUS, worldOf } from '../../../../test/fixtures/pipeline/corpus-world.ts';
import { fileSession } from '../../../../test/fixtures/pipeline/file-session.ts';
import { type PipelinePlan, type PlannedEntry, planPipeline } from './plan.ts';

const names = readdirSync(CORPUS).filter((name) => name.endsWith('.yaml'));
const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

async function planOf(name: string): Promise<PipelinePlan> {
  const callerEnv = { PATH: '/usr/bin:/bin', SHA: 'abc', CI: 'true' };
  const s = buildStand({ context: { callerEnv } });
  stands.push(s);
  s.write('skaffold.yaml', readFileSync(`${CORPUS}/${name}`, 'utf8'));
  const session = await fileSession(s, { env: { CI: 'true' }, ignoreUnsupported: true });
  for (const [path, text] of Object.entries(worldOf(session.config))) {
    s.write(path.slice(s.folder.length + 1), text);
  }
  s.git('init', '-q');
  s.git('add', '.');
  s.git('commit', '-qm', 'first');
  return planPipeline(session);
}

describe('plans of typical Skaffold files', () => {
  test('number at least 40', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
  });

  test.each(names)(
    '%s has no problems, and the expected image tags and entries',
    { tags: 'git' },
    async (name) => {
      const { phases, problems } = await planOf(name);
      expect(problems).toEqual([]);
      const entries = phases.flatMap((phase) => phase.entries);
      for (const entry of entries) {
        if (entry.kind !== 'image') continue;
        expect(entry.image.reference).toMatch(/:[\w][\w.-]*$/u);
      }
      expect(entries.map((entry) => summaryOf(entry))).toMatchSnapshot();
    },
  );
});

/** The parts of the plan that do not depend on the place and time of planning. */
function summaryOf(entry: PlannedEntry): string {
  if (entry.kind === 'hook') return `${entry.hook.runs ? '+' : '-'} ${entry.hook.address}`;
  if (entry.kind === 'image') return `${entry.image.name} by ${entry.image.builder}`;
  return entry.text.replaceAll(/\/tmp\/[^/\s]+/g, '/p');
}
