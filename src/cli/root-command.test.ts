import { describe, expect, it } from 'vitest';

import { inItsName, programName } from './root-command.ts';

describe('the name of the program', () => {
  it.each([
    ['/usr/bin/lifehook', 'lifehook'],
    ['/app/dist/lifehook.js', 'lifehook'],
    ['/usr/bin/kubectl-lifehook', 'kubectl lifehook'],
    ['kubectl-lifehook', 'kubectl lifehook'],
    ['C:\\bin\\kubectl-lifehook.js', 'kubectl lifehook'],
    ['/usr/bin/my-kubectl-lifehook-not', 'lifehook'],
    ['', 'lifehook'],
  ])('when started as %j, is %j', (path, name) => {
    expect(programName(path)).toBe(name);
  });

  it('replaces "lifehook" in the examples only', () => {
    const help =
      'Lifehook runs lifehook hooks\nExamples:\n  lifehook up\n  lifehook install | kubectl apply\n';
    expect(inItsName(help, 'lifehook')).toBe(help);
    expect(inItsName(help, 'kubectl lifehook')).toBe(
      'Lifehook runs lifehook hooks\nExamples:\n  kubectl lifehook up\n  kubectl lifehook install | kubectl apply\n',
    );
  });
});
