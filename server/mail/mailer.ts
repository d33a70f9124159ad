import { createTransport, type NodemailerError } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Mail } from './mail.ts'
import { writeToOutbox } from './outbox.ts'

export type Mailer = {
  /** Resolves when the message is handed over: to the SMTP server, or as a file to the outbox. Rejects if it wasn't. */
  send(mail: Mail): Promise<void>
  /** Resolves with the destination of messages; rejects if the SMTP server doesn't accept our login. */
  check(): Promise<'smtp' | 'outbox'>
}

/** Whether the mail server rejected this email for good, e.g. because its mailbox doesn't exist. It works, and may accept others. */
export function isRejectedEmail(error: unknown): boolean {
  const { code, command, permanent = false } = error as Partial<NodemailerError>
  // The sender is the same for all.
  return permanent && (code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM'))
}

/** Sends over SMTP if it is set, otherwise into the local outbox that a developer can read (GEN-16). */
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
