import { legalTexts, termsSections } from '@ovation/contract/texts/legal'
import { appConfig } from '../../lib/api/config.ts'
import { LegalDocument } from './legal-document.tsx'

/** STAT-04 */
export function TermsOfServiceScreen() {
  const { name, operator, feePercent } = appConfig()
  return <LegalDocument title={legalTexts.termsTitle} sections={termsSections(name, operator, feePercent)} />
}
