import { legalTexts, privacySections } from '@ovation/contract/texts/legal'
import { appConfig } from '../../lib/api/config.ts'
import { LegalDocument } from './legal-document.tsx'

/** STAT-01 */
export function PrivacyPolicyScreen() {
  const { name, operator } = appConfig()
  return <LegalDocument title={legalTexts.privacyTitle} sections={privacySections(name, operator)} />
}
