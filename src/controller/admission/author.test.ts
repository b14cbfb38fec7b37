import { expect, it } from 'vitest';

import type { AdmissionRequest } from './admission-review.ts';
import { type AccessQuestion, type Created, judgeAuthor } from './author.ts';

const dev = { username: 'dev', groups: ['team-a'] };
const request: AdmissionRequest = {
  uid: 'u',
  kind: { group: 'lifehook.dev', kind: 'ExecutionHook' },
  namespace: 'shop',
  operation: 'CREATE',
  object: {},
  userInfo: dev,
};
const { signal } = new AbortController();

function judge(
  needs: readonly Created[],
  answers: Partial<Record<Created, string>>,
): { asked: AccessQuestion[]; verdict: ReturnType<typeof judgeAuthor> } {
  const asked: AccessQuestion[] = [];
  const ask = async (question: AccessQuestion): Promise<string | null> => {
    asked.push(question);
    return answers[question.resource] ?? null;
  };
  return { asked, verdict: judgeAuthor({ request, needs, ask }, signal) };
}

it('asks for each right in the namespace of the object, and allows an author who has all', async () => {
  const { asked, verdict } = judge(['pods/exec', 'pods'], {});
  expect(await verdict).toEqual({ allowed: true });
  expect(asked).toEqual([
    { author: dev, namespace: 'shop', resource: 'pods/exec' },
    { author: dev, namespace: 'shop', resource: 'pods' },
  ]);
});

it('refuses an author who lacks one right, with the right, the namespace and the reason', async () => {
  const { verdict } = judge(['pods/exec', 'pods'], { pods: 'no role' });
  expect(await verdict).toEqual({
    allowed: false,
    status: {
      code: 403,
      reason: 'Forbidden',
      message:
        'For this ExecutionHook the controllers of Lifehook create pods with the commands that it names. So its author needs `create` on pods in namespace shop, which "dev" does not have (no role). Grant that permission, or let a user who has it write the object.',
    },
  });
});

it('refuses without a reason if the API server gave none', async () => {
  const { verdict } = judge(['pods'], { pods: '' });
  expect((await verdict).status?.message).toContain(
    'which "dev" does not have. Grant that permission',
  );
});

it('asks for a user without a name if the API server sent no user', async () => {
  const { userInfo: _, ...anonymous } = request;
  const ask = async ({ author }: AccessQuestion): Promise<string | null> =>
    author.username ?? 'no user';
  const verdict = await judgeAuthor({ request: anonymous, needs: ['pods'], ask }, signal);
  expect(verdict.status?.message).toContain(
    'which "" does not have (no user). Grant that permission',
  );
});

it('asks for all rights at once, since the server waits for the webhook', () => {
  const needs = ['persistentvolumeclaims', 'pods', 'pods/exec'] as const;
  const asked: Created[] = [];
  const ask = ({ resource }: AccessQuestion): Promise<never> => {
    asked.push(resource);
    return new Promise(() => {});
  };
  void judgeAuthor({ request, needs, ask }, signal);
  expect(asked).toEqual(needs);
});

it('refuses an author who lacks one right, although another right could not be checked', async () => {
  const ask = ({ resource }: AccessQuestion): Promise<string> =>
    resource === 'pods' ? Promise.resolve('no role') : Promise.reject(new Error('no answer'));
  const verdict = await judgeAuthor({ request, needs: ['pods/exec', 'pods'], ask }, signal);
  expect(verdict.status?.message).toContain('needs `create` on pods in namespace shop');
});

it('rejects where the API server cannot say, so that the failure policy decides', async () => {
  const ask = (): Promise<never> => Promise.reject(new Error('no answer'));
  await expect(judgeAuthor({ request, needs: ['pods'], ask }, signal)).rejects.toThrow('no answer');
});
