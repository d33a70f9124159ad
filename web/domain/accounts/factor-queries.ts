import { queryOptions } from '@tanstack/react-query'
import { authClient } from '../../lib/auth/auth-client.ts'

/** The verified second factors. An unfinished enrollment isn't one. */
export const factorsQuery = () =>
  queryOptions({
    queryKey: ['own-factors'],
    queryFn: async () => {
      const { data, error } = await (await authClient()).mfa.listFactors()
      if (error) throw error
      return data.all.filter(({ status }) => status === 'verified')
    },
  })

/** The remaining recovery codes; `null` if none were created. */
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
