import type { Mailer } from './mailer.ts'

/** The same mailer, which also says how each email ended. */
export function countMails(mailer: Mailer, count: (outcome: 'sent' | 'failed') => void): Mailer {
  return {
    ...mailer,
    send: async (mail) => {
      try {
        await mailer.send(mail)
      } catch (error) {
        count('failed')
        throw error
      }
      count('sent')
    },
  }
}
