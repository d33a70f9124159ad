import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { SmtpServer } from '../testing/smtp-server.ts'
import { listOutbox, readFromOutbox, writeToOutbox } from './outbox.ts'
import { renderEmail } from './render-email.ts'

const hostile = `<script>alert("x")</script> & 'friends'`

describe('an email', () => {
  it('says the same in text and HTML, and escapes user input', () => {
    const { text, html } = renderEmail({
      to: 'a@example.com',
      subject: hostile,
      paragraphs: [`Hello ${hostile}`],
      action: { label: 'Go', url: 'http://x.test/?a=1&b="2"' },
      code: '012345',
      closing: 'Bye.',
      productName: 'Ovation',
    })
    for (const part of ['Go', '012345', 'Bye.', 'Ovation']) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
    expect(text).toContain('http://x.test/?a=1&b="2"')
    expect(html).toContain('href="http://x.test/?a=1&amp;b=&quot;2&quot;"')
    expect(html).not.toContain('<script>')
    // Without pictures, which would tell the sender of the reader, and which email programs block.
    expect(html).not.toMatch(/<img|url\(/)
  })
})

describe('the outbox', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-outbox-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  it('is empty before the first message', async () => {
    expect(await listOutbox(join(dataDir, 'nowhere'))).toEqual([])
  })

  it('keeps each message in a file that only its owner can read, newest first [GEN-16]', async () => {
    for (const subject of ['first', 'second']) {
      await writeToOutbox(dataDir, { to: 'a@example.com', subject, text: 't', html: 'h' })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const mails = await listOutbox(dataDir)
    expect(mails.map(({ subject }) => subject)).toEqual(['second', 'first'])
    const files = readdirSync(join(dataDir, 'outbox'))
    expect(files).toHaveLength(2) // no half-written file beside them
    expect(statSync(join(dataDir, 'outbox', files[0] ?? '')).mode & 0o777).toBe(0o600)
  })

  it('reads no file outside its folder', async () => {
    const [mail] = await listOutbox(dataDir)
    expect(await readFromOutbox(dataDir, mail?.id ?? '')).toEqual(mail)
    expect(await readFromOutbox(dataDir, `../outbox/${mail?.id}`)).toBeUndefined()
    expect(await readFromOutbox(dataDir, '../secrets')).toBeUndefined()
  })
})

describe('/dev/outbox', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  const page = async (path: string, accept = 'text/html') => {
    const response = await fetch(`${gateway.url}${path}`, { headers: { accept } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('says when there are no messages, then lists and shows them with clickable links [GEN-16]', async () => {
    expect((await page('/dev/outbox')).text).toContain('No messages yet')
    await gateway.services.mailer.send({
      to: hostile,
      subject: hostile,
      text: `${hostile} http://x.test/?a=1&b=2\n`,
      html: hostile,
    })
    const list = await page('/dev/outbox')
    expect(list.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(list.headers.get('cache-control')).toBe('no-store')
    expect(list.text).not.toContain('<script>')
    const path = /href="(\/dev\/outbox\/[^"]+)"/.exec(list.text)?.[1] ?? ''
    const mail = await page(path)
    expect(mail.text).not.toContain('<script>')
    expect(mail.text).toContain('<a href="http://x.test/?a=1&amp;b=2">')
    expect(JSON.parse((await page('/dev/outbox', 'application/json')).text)).toMatchObject([{ subject: hostile }])
    expect(await page('/dev/outbox/nothing')).toMatchObject({
      status: 404,
      text: expect.stringContaining('Message not found'),
    })
  })

  it("doesn't exist in production", async () => {
    const production = await startGateway({ env: { NODE_ENV: 'production' } })
    try {
      const response = await fetch(`${production.url}/dev/outbox`, { headers: { accept: 'application/json' } })
      expect(response.status).toBe(404)
    } finally {
      await production.close()
    }
  })
})

describe('with SMTP', () => {
  it('sends emails over SMTP and requires a confirmation; without SMTP, keeps them in the outbox and confirms at once [AUTH-17, GEN-16] [D19]', async () => {
    const smtp = new SmtpServer()
    const { received } = smtp
    const gateway = await startGateway({ env: { SMTP_URL: await smtp.open() } })
    try {
      const { data, error } = await gateway.anon.auth.signUp({ email: 'a@example.com', password: 'correct horse' })
      expect([error, data.session]).toEqual([null, null])
      expect(received).toHaveLength(1)
      expect(received[0]).toMatch(/^From: Ovation <support@localhost>/m)
      expect(received[0]).toMatch(/^To: a@example.com/m)
      expect(await listOutbox(gateway.dataDir)).toEqual([])
    } finally {
      await gateway.close()
      smtp.close()
    }
    const without = await startGateway()
    const { data } = await without.anon.auth.signUp({ email: 'a@example.com', password: 'correct horse' })
    expect(data.session?.user.email_confirmed_at).toEqual(expect.any(String))
    await without.anon.auth.resetPasswordForEmail('a@example.com')
    await expect.poll(() => listOutbox(without.dataDir)).toMatchObject([{ to: 'a@example.com' }])
    expect(await (await fetch(`${without.url}/dev/outbox`)).text()).toContain('a@example.com')
    await without.close()
  })

  it("leaves no account behind if the confirmation can't be sent", async () => {
    const smtp = new SmtpServer(() => true)
    const gateway = await startGateway({ env: { SMTP_URL: await smtp.open() } })
    try {
      const { error } = await gateway.anon.auth.signUp({ email: 'a@example.com', password: 'correct horse' })
      expect(error).toMatchObject({ status: 500, message: "We couldn't send the email. Try again in a moment." })
      expect(await gateway.query('select from auth.users')).toHaveLength(0)
      expect(await gateway.query('select from private.profiles')).toHaveLength(0)
    } finally {
      await gateway.close()
      smtp.close()
    }
  })
})
