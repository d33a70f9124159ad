export { ExploreScreen as Component } from '../../features/discover/explore-screen.tsx'
