import { useSearchParams } from 'react-router'
import { AdminScreen } from './admin-screen.tsx'
import { FrontPageScreen } from './front-page/front-page-screen.tsx'
import { frontPageTab } from './operations/admin-page.tsx'
import { SecondFactorGate } from './second-factor-gate.tsx'

/** ADM-01, and beside its six tabs the front page (FIND-06); behind the second factor where admins need one. */
export function GuardedAdminScreen() {
  const [parameters] = useSearchParams()
  return (
    <SecondFactorGate>
      {parameters.get('tab') === frontPageTab ? <FrontPageScreen /> : <AdminScreen />}
    </SecondFactorGate>
  )
}
