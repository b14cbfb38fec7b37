/** `admin.mjs freeze|thaw|frozen|greet`: asks the server of this pod, and ends with 0 where it says yes. */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import process from 'node:process';

const [, , what] = process.argv;
const questions = {
  freeze: ['POST', '/freeze'],
  thaw: ['POST', '/thaw'],
  frozen: ['GET', '/frozen'],
  greet: ['GET', '/ready'],
};
const [method, path] = questions[what];
const response = await fetch(`http://${process.env.HOST}:8080${path}`, { method });
const text = (await response.text()).trim();
process.stdout.write(what === 'greet' ? `${process.env.HOSTNAME} serves ${text}\n` : `${text}\n`);
process.exitCode = response.ok ? 0 : 1;
