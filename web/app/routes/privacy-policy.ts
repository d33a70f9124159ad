export { PrivacyPolicyScreen as Component } from '../../features/legal/privacy-policy-screen.tsx'
