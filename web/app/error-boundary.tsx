import { Component, type ReactNode } from 'react'
import { FailedScreen } from './failed-screen.tsx'
import { type RouterState, useRouterState } from './router-state.ts'

/** Shows {@link FailedScreen} if its content fails to render, until another screen opens. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  const { matches } = useRouterState()
  return <Boundary opened={matches}>{children}</Boundary>
}

type Opened = RouterState['matches']
type Props = { opened: Opened; children: ReactNode }
type State = { opened: Opened; failed: boolean }

// React has no hook for this.
class Boundary extends Component<Props, State> {
  override state: State = { opened: this.props.opened, failed: false }

  static getDerivedStateFromError = (): Partial<State> => ({ failed: true })

  static getDerivedStateFromProps = ({ opened }: Props, state: State): State | null =>
    opened === state.opened ? null : { opened, failed: false }

  override render() {
    return this.state.failed ? <FailedScreen /> : this.props.children
  }
}
