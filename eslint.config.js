import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Node's built-ins and clocks do not belong into deterministic code. */
const builtIns = {
  group: ['node:*', 'fs', 'path', 'crypto', 'http', 'https', 'os', 'child_process'],
  message: 'Node built-ins are not deterministic or not portable; this room is pure.',
};

const using = {
  selector: 'VariableDeclaration[kind=/using/]',
  message: 'Node 22 cannot parse `using`; close with try and finally.',
};

/** The rooms that run in production. */
const production = ['activities', 'api', 'engines', 'images', 'operator', 'runtime', 'schemas', 'services', 'store'];

/** Cryptography is what docs/security/cryptography.md lists, and no value can become a command of a shell. */
const unsafe = [
  {
    selector: "CallExpression[callee.name=/^create(Hash|Hmac)$/] > :first-child:not([value='sha256'])",
    message: 'Use SHA-256.',
  },
  {
    selector: "CallExpression[callee.name=/^create(C|Dec)ipheriv$/] > :first-child:not([value='aes-256-gcm'])",
    message: 'Use AES-256-GCM.',
  },
  {
    selector: "CallExpression[callee.name='hkdfSync'] > :first-child:not([value='sha256'])",
    message: 'Derive keys with SHA-256.',
  },
  { selector: 'ImportSpecifier[imported.name=/^exec(Sync)?$/]', message: 'Run programs without a shell: execFile.' },
  { selector: "Property[key.name='shell']", message: 'Run programs without a shell.' },
];

const predictable = {
  selector: 'MemberExpression[object.name=Math][property.name=random]',
  message: 'Use node:crypto: Math.random can be predicted.',
};

export default tseslint.config(
  { ignores: ['node_modules/', '.atelier*/', '**/*.d.mts', 'clients/typescript/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.js', '*.cjs', 'scripts/*.mjs'] } } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { prefer: 'type-imports', fixStyle: 'inline-type-imports' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'error',
      // Methods here are functions of plain objects; none of them uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      '@typescript-eslint/no-implied-eval': 'error',
    },
  },
  {
    files: ['workflows/**/*.ts', 'schemas/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [builtIns] }] },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval', 'fetch'] },
  },
  { rules: { 'no-restricted-syntax': ['error', using] } },
  {
    files: production.map((room) => `${room}/**/*.{ts,mjs}`),
    ignores: ['engines/local/test/**'],
    rules: { 'no-restricted-syntax': ['error', using, ...unsafe, predictable] },
  },
  {
    // Texts of clients and providers reach these rooms. The embedded engines bound their texts, and read them in a thread
    // that ends with its call (decision 0017); the playground reads what its user types.
    ignores: ['api/playground/**', 'bench/**', 'engines/local/**', 'scripts/**', 'test/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  // Their random numbers only spread work over time.
  { files: ['workers/**/*.ts', 'workflows/**/*.ts'], rules: { 'no-restricted-syntax': ['error', using, ...unsafe] } },
  { files: ['bench/**', 'scripts/**', 'operator/**', 'test/**'], rules: { 'no-console': 'off' } },
  // Typed arrays are read at indices that loops have bounded.
  { files: ['test/**/*.ts', 'engines/local/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
