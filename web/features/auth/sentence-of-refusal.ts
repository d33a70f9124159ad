import { accessTexts } from '@ovation/contract/texts/account-access'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'

/** Why somebody was not let in. The server says that a user is banned, as GoTrue does: no word for who wants to know what to do. */
export function sentenceOfRefusal(error: Error): string {
  const isBanned = 'code' in error && error.code === 'user_banned'
  return isBanned ? accessTexts.suspended(appConfig().operator.supportEmail) : errorMessageOf(error)
}
