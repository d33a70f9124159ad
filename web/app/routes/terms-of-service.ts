export { TermsOfServiceScreen as Component } from '../../features/legal/terms-of-service-screen.tsx'
