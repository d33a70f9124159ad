import { queryOptions } from '@tanstack/react-query'
import { authClient } from '../../lib/auth/auth-client.ts'

/** The second factors that count: what was begun and not finished is no factor. */
export const factorsQuery = () =>
  queryOptions({
    queryKey: ['own-factors'],
    queryFn: async () => {
      const { data, error } = await (await authClient()).mfa.listFactors()
      if (error) throw error
      return data.all.filter(({ status }) => status === 'verified')
    },
  })

/** How many recovery codes are left; `null` where none were made. */
export const recoveryCodesQuery = () =>
  queryOptions({
    queryKey: ['own-recovery-codes'],
    queryFn: async () => {
      const { data, error } = await (await authClient()).mfa.recoveryCodes.getStatus()
      if (error?.code === 'mfa_factor_not_found') return null
      if (error) throw error
      return data
    },
  })
