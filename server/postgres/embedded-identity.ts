import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The user that runs PostgreSQL. PostgreSQL refuses root, so root switches to a user with fewer permissions. */
export type Identity = {
  readonly uid: number | undefined
  readonly gid: number | undefined
  readonly spawnOptions: { readonly cwd: string; readonly uid?: number; readonly gid?: number }
  wrap(command: string, args: readonly string[]): [command: string, args: string[]]
}

/**
 * An ordinary user runs PostgreSQL as itself. Root runs it as `postgres` where that user exists, otherwise as `nobody`. If that
 * user may not enter the directories (a checkout below /root, a private DATA_DIR), it gets the one capability that it needs, and
 * nothing else of root's.
 */
export function chooseIdentity(binary: string, dataDir: string): Identity {
  if (process.getuid?.() !== 0) {
    return { uid: undefined, gid: undefined, spawnOptions: { cwd: '/' }, wrap: (command, args) => [command, [...args]] }
  }
  const { uid, gid } = findUser(['postgres', 'nobody'])
  const mayEnter = canRun(binary, ['--version'], uid, gid) && canRun('/bin/ls', ['-d', `${dataDir}/.`], uid, gid)
  if (mayEnter) {
    return { uid, gid, spawnOptions: { cwd: '/', uid, gid }, wrap: (command, args) => [command, [...args]] }
  }
  const prefix = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  // initdb calls access(2), which respects an ordinary user's capability only with this secure bit. The exec drops everything else
  // of root's and keeps only the ambient set.
  const capability = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--']
  if (spawnSync('setpriv', [...prefix, ...capability, binary, '--version'], { cwd: '/' }).status !== 0) {
    throw new Error(
      `PostgreSQL does not run as root, and the user it would run as may not enter ${dataDir}: ` +
        'start as an ordinary user, or set DATA_DIR to a directory that others may enter.',
    )
  }
  return {
    uid,
    gid,
    spawnOptions: { cwd: '/' },
    wrap: (command, args) => ['setpriv', [...prefix, ...capability, command, ...args]],
  }
}

function canRun(command: string, args: string[], uid: number, gid: number): boolean {
  return spawnSync(command, args, { cwd: '/', uid, gid, stdio: 'ignore' }).status === 0
}

function findUser(names: readonly string[]): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of names) {
    const user = users.find(([login]) => login === name)
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  throw new Error(`PostgreSQL does not run as root, and this machine has no user ${names.join(' or ')}.`)
}
