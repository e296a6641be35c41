import tseslint from 'typescript-eslint';

/** Node's built-ins and clocks do not belong into deterministic code. */
const builtIns = {
  group: ['node:*', 'fs', 'path', 'crypto', 'http', 'https', 'os', 'child_process'],
  message: 'Node built-ins are not deterministic or not portable; this room is pure.',
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
  {
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'VariableDeclaration[kind=/using/]',
          message: 'Node 22 cannot parse `using`; close with try and finally.',
        },
      ],
    },
  },
  { files: ['bench/**', 'scripts/**', 'operator/**', 'test/**'], rules: { 'no-console': 'off' } },
  // Typed arrays are read at indices that loops have bounded.
  { files: ['test/**/*.ts', 'engines/local/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
