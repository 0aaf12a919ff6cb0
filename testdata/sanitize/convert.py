import re,sys
for p in sys.argv[1:]:
    s=open(p).read()
    # PAIR(name, (params), {body})  ->  template + BOTH
    out='';i=0
    while True:
        m=re.compile(r'PAIR\((\w+), (\([^\n]*?\)), \{').search(s,i)
        if not m: out+=s[i:];break
        out+=s[i:m.start()]
        name,params=m.group(1),m.group(2)
        d=1;j=m.end()
        while d: 
            c=s[j]
            if c=='{':d+=1
            if c=='}':d-=1
            j+=1
        body=s[m.end()-1:j]
        assert s[j]==')',(p,name,s[j:j+20])
        out+=f'template <bool BAD>\n__global__ void {name}{params} {body}\nBOTH({name}, {params})'
        i=j+1
    open(p,'w').write(out)
