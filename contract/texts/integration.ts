/** The integration testing page (TEST). */
export const integrationTexts = {
  title: 'Integration testing',
  intro: 'Check that this site works with its payment provider. For developers and operators.',
  mode: { sandbox: 'Sandbox (no real charges)', test: 'Stripe, test mode', live: 'Stripe, live mode' },
  /** TEST-02 */
  guide: {
    title: 'Connection setup guide',
    steps: [
      {
        title: 'Enable connected accounts',
        message: 'In the Stripe Dashboard, turn on Connect. Creators get paid through their own accounts.',
      },
      {
        title: 'Get the client ID',
        message: 'Find the client ID under Settings > Connect > Onboarding options > OAuth. It begins with ca_.',
      },
      { title: 'Add the redirect URL', message: 'Add this URL to the redirect URIs on the same page:' },
      {
        title: 'Configure the client ID',
        message: 'Set STRIPE_CLIENT_ID along with STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, then restart.',
      },
      { title: 'Test', message: 'Run the connection test and the status tests below.' },
    ],
    copy: 'Copy redirect URL',
    copied: 'Copied',
  },
  /** TEST-04 */
  connection: {
    title: 'Connection test',
    message: "Connects to the payment provider with this site's key.",
    run: 'Test connection',
    set: 'set',
    notSet: 'not set',
    keyPrefix: 'Key begins with',
    none: 'none',
    asked: 'Checked',
    failed: 'Connection test failed',
  },
  /** TEST-03, TEST-06 */
  suite: {
    title: 'Status tests',
    message: 'Runs each request to the provider in turn. Nothing is charged.',
    run: 'Run all tests',
    list: 'Tests',
    states: { pending: 'Pending', completed: 'Completed', error: 'Error' },
    tests: {
      connection: 'The provider accepts our key',
      account: 'Your payout account status loads',
      fees: "The fee and the creator's share add up to the payment",
      subscriptions: 'Your subscriptions match the provider',
    },
    feesDiffer: "A share and its fee don't add up to the payment",
  },
  /** TEST-05 */
  dashboard: {
    title: 'Function tests',
    message: 'Calls a function with your input and shows the response.',
    run: 'Run',
    runOf: (name: string) => `Run ${name}`,
    answerOf: (name: string) => `Response from ${name}`,
    functions: {
      'check-stripe-status': 'Gets your payout account from the provider.',
      'refresh-subscription-status': 'Gets your subscriptions from the provider.',
      'create-stripe-connect-url': 'Gets the URL where a creator connects an existing account.',
      'test-platform-fees': 'Splits an amount between creator and platform.',
      'create-subscription-product': 'Creates a plan. Requires an approved creator with a payout account.',
      'create-marketplace-payment':
        'Pays a creator through their provider account. In live mode, this charges real money.',
    },
    fields: {
      amountInCents: 'Amount in cents',
      name: 'Name',
      description: 'Description',
      price_cents: 'Price in cents',
      interval: 'Interval',
      sellerAccountId: 'Seller account',
      paymentMethodId: 'Payment method',
    },
    intervals: { day: 'Day', week: 'Week', month: 'Month', year: 'Year' },
    productName: 'Test plan',
    productDescription: 'Created on the integration testing page',
    paymentDescription: 'Integration test',
  },
} as const
