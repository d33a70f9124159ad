import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Mail } from './mail.ts'
import { writeToOutbox } from './outbox.ts'

export type Mailer = {
  /** Resolves when the message is handed over: to the SMTP server, or as a file to the outbox. Rejects when it was not. */
  send(mail: Mail): Promise<void>
  /** Resolves with where messages go; rejects when the SMTP server does not let us in. */
  check(): Promise<'smtp' | 'outbox'>
}

/** GEN-16: over SMTP when it is set; otherwise into the local outbox that a developer can read. */
export function buildMailer(config: Config): Mailer {
  const { smtpUrl, dataDir } = config
  if (smtpUrl === undefined) return { send: (mail) => writeToOutbox(dataDir, mail), check: async () => 'outbox' }
  const transport = createTransport(smtpUrl, { from: { name: config.mail.senderName, address: config.mail.from } })
  return {
    async send(mail) {
      await transport.sendMail(mail)
    },
    async check() {
      await transport.verify()
      return 'smtp'
    },
  }
}
