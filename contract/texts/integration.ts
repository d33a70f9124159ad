/** The integration testing page (TEST). */
export const integrationTexts = {
  title: 'Integration Testing',
  intro: 'Whether this installation and its payment provider work together. For developers and operators.',
  mode: { sandbox: 'Sandbox: no money moves', test: 'Stripe, test mode', live: 'Stripe, live mode' },
  /** TEST-02 */
  guide: {
    title: 'Connection setup guide',
    steps: [
      {
        title: 'Enable connected accounts',
        message: 'In the Stripe dashboard, turn on Connect: creators are paid through accounts of their own.',
      },
      {
        title: 'Get the client id',
        message: 'Under Settings, Connect, Onboarding options, OAuth stands the client id. It begins with ca_.',
      },
      { title: 'Add the redirect URL', message: 'Enter this address among the redirect URIs of the same page:' },
      {
        title: 'Configure the client id',
        message: 'Set STRIPE_CLIENT_ID beside STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, and restart.',
      },
      { title: 'Test', message: 'Run the connection test and the status tests below.' },
    ],
    copy: 'Copy the redirect URL',
    copied: 'Copied',
  },
  /** TEST-04 */
  connection: {
    title: 'Connection test',
    message: 'Asks the payment provider with the key of this installation.',
    run: 'Test connection',
    set: 'set',
    notSet: 'not set',
    keyPrefix: 'Key begins with',
    none: 'none',
    asked: 'Asked',
    failed: 'The connection test failed',
  },
  /** TEST-03, TEST-06 */
  suite: {
    title: 'Status tests',
    message: 'What the product asks of the provider, one after the other. Nothing is charged.',
    run: 'Run all tests',
    list: 'Tests',
    states: { pending: 'Pending', completed: 'Completed', error: 'Error' },
    tests: {
      connection: 'The provider answers our key',
      account: 'The status of your payout account can be read',
      fees: 'Fee and creator’s share add up to the payment',
      subscriptions: 'Your subscriptions agree with the provider',
    },
    feesDiffer: 'A share and its fee do not add up to the payment',
  },
  /** TEST-05 */
  dashboard: {
    title: 'Function tests',
    message: 'Calls one function with what you enter, and shows its answer.',
    run: 'Run',
    runOf: (name: string) => `Run ${name}`,
    answerOf: (name: string) => `Answer of ${name}`,
    functions: {
      'check-stripe-status': 'Your payout account as the provider has it now.',
      'refresh-subscription-status': 'Your subscriptions as the provider has them now.',
      'create-stripe-connect-url': 'The address at which a creator connects an account they have.',
      'test-platform-fees': 'How an amount is parted between creator and platform.',
      'create-subscription-product': 'A plan of your own, as an approved creator with a payout account.',
      'create-marketplace-payment': 'Pays a creator by their account at the provider. In live mode money moves.',
    },
    fields: {
      amountInCents: 'Amount in cents',
      name: 'Name',
      description: 'Description',
      price_cents: 'Price in cents',
      interval: 'Interval',
      sellerAccountId: 'Account of the seller',
      paymentMethodId: 'Payment method',
    },
    intervals: { day: 'Day', week: 'Week', month: 'Month', year: 'Year' },
    productName: 'Test Product',
    productDescription: 'Made on the integration testing page',
    paymentDescription: 'A test of the integration',
  },
} as const
