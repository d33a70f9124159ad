export { ProtectedContentScreen as Component } from '../../features/protected-content/protected-content-screen.tsx'
