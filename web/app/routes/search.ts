export { SearchScreen as Component } from '../../features/discover/search-screen.tsx'
