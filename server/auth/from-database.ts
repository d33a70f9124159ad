import type pg from 'pg'
import type { GatewayError } from '../http/errors.ts'
import { authErrors } from './errors.ts'

/** Database errors that the user can fix. Anything else is a bug of ours. */
export function fromDatabase(error: pg.DatabaseError): GatewayError | undefined {
  switch (error.constraint) {
    case 'profiles_username_key':
      return authErrors.usernameTaken(error.message)
    case 'profiles_username_format':
      return authErrors.unprocessable(error.message)
    case 'users_email_key':
      return authErrors.emailExists()
    case 'users_phone_key':
      return authErrors.phoneExists()
    case 'mfa_factors_user_friendly_name_unique':
    case 'unique_phone_factor_per_user':
      return authErrors.factorNameTaken()
    case 'mfa_factors_recovery_code_key':
      return authErrors.factorExists()
    // Two responses of one service at once: a retry of the second finds what the first one created.
    case 'identities_provider_id_provider_unique':
      return authErrors.identityExists(false)
    case 'users_pkey':
      return authErrors.idTaken()
    case 'users_user_metadata_size':
      return authErrors.unprocessable('The user metadata is larger than 4096 bytes')
  }
  if (error.code === '57014') return authErrors.timedOut()
  // A status that SQL specifies: PT409 is 409.
  const status = /^PT(\d{3})$/.exec(error.code ?? '')?.[1]
  return status ? authErrors.conflict(Number(status), error.message) : undefined
}
