import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBinaries } from './embedded-binaries.ts'
import { chooseIdentity } from './embedded-identity.ts'

// Only root has to switch to another user.
describe.runIf(process.getuid?.() === 0)('PostgreSQL started by root', () => {
  const { postgres } = findBinaries()
  let directory: string
  let program: string
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'ovation-private-')) // mode 0700
    program = join(directory, 'program')
    writeFileSync(program, '#!/bin/sh\nid -u\ngrep -E "^Cap(Prm|Eff)" /proc/self/status\n')
    chmodSync(program, 0o755)
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  const run = (identity: ReturnType<typeof chooseIdentity>, command: string, args: string[]) => {
    const [file, rest] = identity.wrap(command, args)
    return spawnSync(file, rest, { ...identity.spawnOptions, encoding: 'utf8' })
  }

  it('runs as an ordinary user without any capability where that user may enter', () => {
    const open = mkdtempSync(join(tmpdir(), 'ovation-open-'))
    chmodSync(open, 0o755)
    const identity = chooseIdentity('/bin/ls', open)
    const { stdout } = run(identity, '/bin/sh', ['-c', 'id -u; grep ^CapEff /proc/self/status'])
    expect(stdout).toMatch(new RegExp(`^${identity.uid}\nCapEff:\\s*0+\n$`))
    expect(identity.uid).toBeGreaterThan(0)
    rmSync(open, { recursive: true })
  })

  it('may enter a private directory, and pass access(2) checks, and has nothing else of root', () => {
    const identity = chooseIdentity(postgres, directory)
    expect(run(identity, program, []).stdout).toMatch(
      new RegExp(`^${identity.uid}\nCapPrm:\\s*0+2\nCapEff:\\s*0+2\n$`), // 2 is CAP_DAC_OVERRIDE
    )
    expect(run(identity, '/bin/sh', ['-c', `test -x ${program}`]).status).toBe(0)
  })
})
