export { EmailLinkScreen as Component } from '../../features/auth/email-link-screen.tsx'
