import { AdminScreen } from './admin-screen.tsx'
import { SecondFactorGate } from './second-factor-gate.tsx'

/** ADM-01, behind the second factor where admins need one. */
export function GuardedAdminScreen() {
  return (
    <SecondFactorGate>
      <AdminScreen />
    </SecondFactorGate>
  )
}
