import { afterEach, describe, expect, it, vi } from 'vitest';

import { healthyFacts } from '../../../test/fixtures/doctor-facts.ts';
import { diagnose, printReport, reportOf, reportText } from './run-doctor.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const plain = { paint: (_result: string, text: string) => text, width: Infinity };

describe('the report of the doctor', () => {
  it('has no warning where nothing is wrong', () => {
    const report = reportOf(diagnose(healthyFacts));
    expect(report).toMatchObject({ healthy: true, warnings: 0, errors: 0 });
    expect(report.ok).toBe(report.findings.length);
  });

  it('is not healthy with an error, and is with a warning', () => {
    const finding = { check: 'a', found: 'b', next: 'c' };
    expect(reportOf([{ ...finding, result: 'warning' }]).healthy).toBe(true);
    expect(reportOf([{ ...finding, result: 'error' }]).healthy).toBe(false);
  });

  it('puts the next step under the line, and a count at the end', () => {
    const report = reportOf([
      { check: 'Node', result: 'ok', found: 'Node 22' },
      { check: 'server', result: 'error', found: 'gone', next: 'look' },
    ]);
    expect(reportText(report, plain)).toBe(
      [
        'ok       Node    Node 22',
        'error    server  gone',
        '                 Next: look',
        '',
        '1 ok, 0 warnings, 1 error.',
        '',
      ].join('\n'),
    );
  });

  it('leaves a command in one piece', () => {
    const next = 'lifehook snapshot thaw a-long-name-of-a-hook -n a-long-namespace';
    const report = reportOf([{ check: 'frozen', result: 'error', found: 'db', next }]);
    expect(reportText(report, { ...plain, width: 40 })).toContain(`Next: ${next}\n`);
  });

  it('breaks lines between words, and leaves a long word whole', () => {
    const path = '/a/very/long/path/that/is/longer/than/the/line';
    const report = reportOf([{ check: 'disk', result: 'ok', found: `state of it: ${path} free` }]);
    const lines = reportText(report, { ...plain, width: 40 }).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'ok       disk  state of it:',
      `               ${path}`,
      '               free',
    ]);
  });

  it('has colours where they are on, and no control characters of the cluster', () => {
    vi.stubEnv('FORCE_COLOR', '1');
    const local = { ...healthyFacts.local, nodeVersion: '99\u001b[2J' };
    let printed = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    printReport({ ...healthyFacts, local }, { output: 'text' });
    expect(printed).toContain('\u001b[32mok     \u001b[39m');
    expect(printed).toContain('Node 99\uFFFD[2J');
  });
});
