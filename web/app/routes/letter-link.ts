export { LetterLinkScreen as Component } from '../../features/auth/letter-link-screen.tsx'
